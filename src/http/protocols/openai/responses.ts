import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { reportedProblem } from '../../error-handler.ts';
import { disconnectSignal, sendEventStream } from '../../event-stream.ts';
import { unless } from '../../unless.ts';
import { parsed } from '../parsed.ts';
import type { ConversationUpdate, ProtocolHandler, ProtocolParts } from '../port.ts';
import { sessionNamed } from '../session-name.ts';
import { refusal } from './error-body.ts';
import { namedSession } from './find-session.ts';
import { askedOf, readMessages } from './messages.ts';
import { responseEvents, writeEvent } from './response-events.ts';
import { answeredAtOnce, type Echo, finishedResponse, openResponse, turnIdOf } from './response-object.ts';
import { sideAnswer } from './side-jobs.ts';
import type { SubmitAsked } from './submit-asked.ts';
import { readTurn } from './turn-record.ts';

/** Most pairs of metadata, as OpenAI's API has it: each stands in every event that has the response. */
const METADATA_PAIRS_MAX = 16;

/** Counted before its pairs are read. */
const fewPairs = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && Object.keys(value).length <= METADATA_PAIRS_MAX,
  `must be an object of at most ${METADATA_PAIRS_MAX} pairs`,
);

/** What is read of a request; everything else of OpenAI's API is taken and changes nothing. */
const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  input: z.union([z.string(), z.array(z.unknown()).min(1)]),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  previous_response_id: z.string().max(200).nullish(),
  conversation: z.union([z.string().min(1).max(500), z.looseObject({ id: z.string().min(1).max(500) })]).nullish(),
  metadata: fewPairs.pipe(z.record(z.string().max(64), z.string().max(512))).nullish(),
});

const Query = z.looseObject({
  stream: z.enum(['true', 'false']).optional(),
  starting_after: z.coerce.number().int().min(0).optional(),
});

/** A turn that is sent as a stream of events: those whose number is greater than `after`. */
interface Streamed {
  turn: TurnView;
  echo: Echo;
  after?: number | undefined;
  updates(signal: AbortSignal): AsyncIterable<ConversationUpdate>;
}

/** What says that the response which is a turn was deleted. */
const deletedKey = (turnId: string): string => `deleted ${turnId}`;

/** Makes the handlers of the Responses API: a response is a turn, and its conversation a session. */
export const createResponses = (
  { conversations, limits, waiting, streams, now }: ProtocolParts,
  submitAsked: SubmitAsked,
): Record<'createResponse' | 'response' | 'deleteResponse' | 'cancelResponse', ProtocolHandler> => {
  /** The owner's turn that is this response; null where there is none, or where it was deleted. */
  const findTurn = async (owner: string, id: string): Promise<TurnView | null> => {
    const turnId = turnIdOf(id);
    if (turnId === null || (await conversations.recall(owner, deletedKey(turnId))) !== null) return null;
    return unless(['TURN_NOT_FOUND'], conversations.turn(owner, turnId));
  };

  const unknown = (reply: FastifyReply, id: string) =>
    reply.code(404).send(refusal(`Response with id '${id}' not found.`, 'response_id', 'response_not_found'));

  const sendEvents = (
    request: FastifyRequest,
    reply: FastifyReply,
    { turn, echo, after = -1, updates }: Streamed,
  ): FastifyReply =>
    sendEventStream(request, reply, limits, async function* (signal) {
      const problemOf = (error: unknown) => {
        if (signal.aborted) throw error;
        return reportedProblem(error as Error, request);
      };
      for await (const event of responseEvents(turn, updates(signal), echo, problemOf))
        if (event.sequence_number > after) yield writeEvent(event);
    });

  const createResponse: ProtocolHandler = async (request, reply) => {
    const body = parsed(Body, request.body);
    const { model, input, conversation, previous_response_id = null, metadata } = body;
    const isBackground = body.background === true;
    const echo: Echo = { model, metadata: metadata ?? {}, previous_response_id, background: isBackground };
    const said = readMessages(typeof input === 'string' ? [{ role: 'user', content: input }] : input, 'input');
    const side = sideAnswer(said);
    if (side !== null) {
      const turn = answeredAtOnce(randomUUID().replaceAll('-', ''), now(), side.text);
      async function* updates(): AsyncGenerator<ConversationUpdate> {
        yield { type: 'finished', turn };
      }
      if (body.stream === true) return sendEvents(request, reply, { turn, echo, updates });
      return finishedResponse(await readTurn(updates()), echo);
    }

    if (conversation !== undefined && conversation !== null && previous_response_id !== null)
      throw new ServiceError(
        'INVALID_REQUEST',
        'conversation and previous_response_id can not stand beside each other',
      );
    let named = null;
    if (conversation !== undefined && conversation !== null)
      named = sessionNamed(typeof conversation === 'string' ? conversation : conversation.id);
    else if (previous_response_id !== null && namedSession(request) === null) {
      const message = `Previous response with id '${previous_response_id}' not found.`;
      const previous = await findTurn(request.owner, previous_response_id);
      if (previous === null)
        return reply.code(400).send(refusal(message, 'previous_response_id', 'previous_response_not_found'));
      named = previous.session_id;
    }
    const asked = askedOf(said);
    if (body.stream === true) streams.take(request, reply);
    else if (!isBackground) waiting.take(request, reply);
    const { turn, answered } = await submitAsked(request, reply, asked, named);
    if (body.stream === true) {
      async function* updates(signal: AbortSignal): AsyncGenerator<ConversationUpdate> {
        for await (const update of conversations.updates(request.owner, turn, signal)) {
          if (update.type === 'finished') await answered(update.turn);
          yield update;
        }
      }
      return sendEvents(request, reply, { turn, echo, updates });
    }
    if (isBackground) return openResponse(turn, echo);
    const record = await readTurn(conversations.updates(request.owner, turn, disconnectSignal(reply)));
    await answered(record.turn);
    return finishedResponse(record, echo);
  };

  const shown = async (request: FastifyRequest, reply: FastifyReply, turn: TurnView) =>
    turn.finished_at === null
      ? openResponse(turn, {})
      : finishedResponse(await readTurn(conversations.updates(request.owner, turn, disconnectSignal(reply))), {});

  const response: ProtocolHandler = async (request, reply) => {
    const { id } = request.params as { id: string };
    const query = parsed(Query, request.query);
    const turn = await findTurn(request.owner, id);
    if (turn === null) return unknown(reply, id);
    if (query.stream !== 'true') return shown(request, reply, turn);
    streams.take(request, reply);
    const updates = (signal: AbortSignal) => conversations.updates(request.owner, turn, signal);
    return sendEvents(request, reply, { turn, echo: {}, after: query.starting_after, updates });
  };

  /** The turn belongs to its session and goes with it; what is deleted is the response that it is. */
  const deleteResponse: ProtocolHandler = async (request, reply) => {
    const { id } = request.params as { id: string };
    const turn = await findTurn(request.owner, id);
    if (turn === null) return unknown(reply, id);
    const { session_id } = turn;
    await conversations.remember(request.owner, deletedKey(turn.id), { session_id, request_key: null });
    return { id, object: 'response', deleted: true };
  };

  const cancelResponse: ProtocolHandler = async (request, reply) => {
    const { id } = request.params as { id: string };
    const turn = await findTurn(request.owner, id);
    if (turn === null) return unknown(reply, id);
    if (turn.finished_at !== null) return shown(request, reply, turn);
    if (turn.task_id === null)
      throw new ServiceError(
        'INVALID_REQUEST',
        'The response waits behind another one of its conversation; cancel that first',
      );
    await unless(['TASK_FINISHED'], conversations.cancel(request.owner, turn.task_id));
    return shown(request, reply, await conversations.wait(request.owner, turn.id, disconnectSignal(reply)));
  };

  return { createResponse, response, deleteResponse, cancelResponse };
};
