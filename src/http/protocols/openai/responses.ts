import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError, unless } from '../../../lib/errors.ts';
import { parsed } from '../../server/parsed.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolHandlers, ProtocolParts } from '../port.ts';
import { readTurn } from '../render-turn.ts';
import { invalidRequest, sessionNamed } from '../request.ts';
import { createAnswersShown } from './answers-shown.ts';
import { itemList } from './conversations.ts';
import { namedSession, type SubmitSaid } from './find-session.ts';
import { Message, MetadataPairs, ReplyFormat, type Said } from './messages.ts';
import {
  type Echo,
  finishedResponse,
  inputItem,
  openResponse,
  replyText,
  responseStream,
  turnIdOf,
} from './response.ts';

/** The fields that are read from a request. All other fields of OpenAI's API are accepted and ignored. */
const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    z.array(Message).min(1),
  ),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().default(false),
  previous_response_id: z.string().max(200).nullable().default(null),
  conversation: z
    .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
    .pipe(z.string().min(1).max(500))
    .nullish(),
  metadata: MetadataPairs,
  text: z.looseObject({ format: ReplyFormat.optional() }).nullish(),
});

const Query = z.looseObject({
  stream: z.stringbool().default(false),
  starting_after: z.coerce.number().int().min(0).optional(),
});

/** The key under which the deletion of a turn's response is stored. */
const deletedKey = (turnId: string): string => `deleted ${turnId}`;

/** Instructions as a message. */
const instructed = (text: string): Said => ({ role: 'system', text, media: [] });

const idIn = ({ params }: FastifyRequest): string => (params as { id: string }).id;

/** Creates the handlers of the Responses API: a response is a turn, and its conversation a session. */
export const createResponses = (
  { engine, conversations, remembered, waiting, streams }: ProtocolParts,
  submitSaid: SubmitSaid,
): ProtocolHandlers => {
  const answersShown = createAnswersShown();
  /** The owner's turn for this response. Rejects with `TURN_NOT_FOUND`, also where the response was deleted. */
  const turnOf = async (owner: string, id: string): Promise<TurnView> => {
    const turnId = turnIdOf(id);
    const isDeleted = (await remembered.recall(owner, deletedKey(turnId))) !== null;
    const turn = isDeleted ? null : await unless(['TURN_NOT_FOUND'], engine.turn(owner, turnId));
    if (turn === null) throw new ServiceError('TURN_NOT_FOUND', `Response with id '${id}' not found.`);
    return turn;
  };

  /** The session of the response before. */
  const sessionAfter = async (owner: string, id: string): Promise<string> => {
    const turn = await unless(['TURN_NOT_FOUND'], turnOf(owner, id));
    if (turn !== null) return turn.session_id;
    const message = `Previous response with id '${id}' not found.`;
    throw new ServiceError('PREVIOUS_RESPONSE_NOT_FOUND', message, {
      errors: [{ path: 'previous_response_id', message }],
    });
  };

  const shown = async ({ owner }: FastifyRequest, reply: FastifyReply, turn: TurnView) =>
    turn.finished_at === null
      ? openResponse(turn, {})
      : finishedResponse(await readTurn(conversations.updates(owner, turn, disconnectSignal(reply))), {});

  return {
    createResponse: async (request, reply) => {
      const body = parsed(Body, request.body);
      const { model, input, conversation, background, previous_response_id, metadata } = body;
      const answer_schema = body.text?.format;
      const isStream = body.stream === true;
      const { text } = request.body as Echo;
      if (conversation != null && previous_response_id !== null)
        throw invalidRequest("'conversation' and 'previous_response_id' cannot be combined", 'previous_response_id');
      let named = conversation == null ? null : sessionNamed(conversation);
      if (previous_response_id !== null && namedSession(request) === null)
        named = await sessionAfter(request.owner, previous_response_id);
      if (isStream) streams.take(request, reply);
      else if (!background) waiting.take(request, reply);
      // Instructions change nothing, but a front end's side job may be in them.
      const said = body.instructions == null ? input : [instructed(body.instructions), ...input];
      const { turn, updates } = await submitSaid(request, reply, said, named, {
        metadata,
        answer_schema,
        isStream,
        model,
        contentOf: replyText,
        names: { input: 'input', files: 'input', answer_schema: 'text.format' },
      });
      const echo: Echo = {
        model,
        metadata: metadata ?? {},
        previous_response_id,
        background,
        ...(answer_schema !== undefined && text !== undefined && { text }),
      };
      if (isStream)
        return streams.send(request, reply, (signal) =>
          responseStream(answersShown.ordered(turn, updates(signal), true), { turn, echo }, { request, signal }),
        );
      if (background && turn.finished_at === null) return openResponse(turn, echo);
      return finishedResponse(await readTurn(updates(disconnectSignal(reply))), echo);
    },
    response: async (request, reply) => {
      const turn = await turnOf(request.owner, idIn(request));
      const { stream, starting_after: after } = parsed(Query, request.query);
      if (!stream) return shown(request, reply, turn);
      streams.take(request, reply);
      return streams.send(request, reply, (signal) => {
        const updates = conversations.updates(request.owner, turn, signal);
        return responseStream(
          answersShown.ordered(turn, updates, false),
          { turn, echo: {}, after },
          { request, signal },
        );
      });
    },
    inputItems: async (request) => itemList([inputItem(await turnOf(request.owner, idIn(request)))], request.query),
    /** The turn belongs to its session and is removed with it; only the response is deleted. */
    deleteResponse: async (request) => {
      const { id, session_id } = await turnOf(request.owner, idIn(request));
      await remembered.pin(request.owner, deletedKey(id), session_id);
      return { id: idIn(request), object: 'response', deleted: true };
    },
    cancelResponse: async (request, reply) => {
      const turn = await turnOf(request.owner, idIn(request));
      if (turn.finished_at !== null) return shown(request, reply, turn);
      if (turn.task_id === null)
        throw invalidRequest('The response is queued behind another one in its conversation; cancel that first');
      await unless(['TASK_FINISHED'], engine.cancel(request.owner, turn.task_id, request.by));
      return shown(request, reply, await engine.wait(request.owner, turn.id, disconnectSignal(reply)));
    },
  };
};
