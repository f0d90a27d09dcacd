import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { unless } from '../../../lib/errors.ts';
import type { ConversationUpdate } from '../../conversations.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { readTurn } from '../render-turn.ts';
import { invalidRequest, parsed, sessionNamed } from '../request.ts';
import { refuseWith } from './errors.ts';
import { namedSession, type SubmitAsked } from './find-session.ts';
import { askedOf, Message, MetadataPairs } from './messages.ts';
import {
  answeredAtOnce,
  type Echo,
  finishedResponse,
  inputItem,
  itemsOf,
  openResponse,
  responseStream,
  turnIdOf,
} from './response.ts';
import { sideAnswer } from './side-jobs.ts';

/** The fields that are read of a request; everything else of OpenAI's API is taken and changes nothing. */
const Body = z.looseObject({
  model: z.string().max(200).default('tripact'),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
    z.array(Message).min(1),
  ),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  previous_response_id: z.string().max(200).nullish(),
  conversation: z
    .union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)])
    .pipe(z.string().min(1).max(500))
    .nullish(),
  metadata: MetadataPairs,
});

const Query = z.looseObject({
  stream: z.enum(['true', 'false']).optional(),
  starting_after: z.coerce.number().int().min(0).optional(),
});

const ItemsQuery = z.looseObject({
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
});

/** Turns of a conversation whose items are listed, the newest. */
const TURNS_LISTED_MAX = 200;

/** A page of a list, as OpenAI's API has it; the newest item is given first. */
const itemsPage = (newest: readonly { id: string }[], query: unknown) => {
  const { after, limit, order } = parsed(ItemsQuery, query);
  const all = order === 'desc' ? newest : newest.toReversed();
  const from = all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(from, from + limit);
  const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { object: 'list', data, first_id, last_id, has_more: all.length > from + limit };
};

/** The key under which it is remembered that the response which is a turn was deleted. */
const deletedKey = (turnId: string): string => `deleted ${turnId}`;

const idIn = ({ params }: FastifyRequest): string => (params as { id: string }).id;

/** Makes the handlers of the Responses API: a response is a turn, and its conversation a session. */
export const createResponses = (
  { engine, conversations, remembered, waiting, streams, now }: ProtocolParts,
  submitAsked: SubmitAsked,
): ProtocolHandlers => {
  /** The owner's turn that is this response; null where there is none, or where it was deleted. */
  const findTurn = async (owner: string, id: string): Promise<TurnView | null> => {
    const turnId = turnIdOf(id);
    if ((await remembered.recall(owner, deletedKey(turnId))) !== null) return null;
    return unless(['TURN_NOT_FOUND'], engine.turn(owner, turnId));
  };

  const ofTurn =
    (answer: (turn: TurnView, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): ProtocolHandler =>
    async (request, reply) => {
      const id = idIn(request);
      const turn = await findTurn(request.owner, id);
      return turn === null
        ? refuseWith(reply, 404, `Response with id '${id}' not found.`, 'response_id', 'response_not_found')
        : answer(turn, request, reply);
    };

  const sendEvents = (
    request: FastifyRequest,
    reply: FastifyReply,
    updates: (signal: AbortSignal) => AsyncIterable<ConversationUpdate>,
    shown: Parameters<typeof responseStream>[1],
  ): FastifyReply =>
    streams.send(request, reply, (signal) => responseStream(updates(signal), shown, { request, signal }));

  const createResponse: ProtocolHandler = async (request, reply) => {
    const body = parsed(Body, request.body);
    const { model, input, conversation = null, previous_response_id = null, metadata } = body;
    const isBackground = body.background === true;
    const isStream = body.stream === true;
    const echo: Echo = { model, metadata: metadata ?? {}, previous_response_id, background: isBackground };
    const side = sideAnswer(input);
    if (side !== null) {
      const turn = answeredAtOnce(randomUUID().replaceAll('-', ''), now(), side.text);
      async function* updates(): AsyncGenerator<ConversationUpdate> {
        yield { type: 'finished', turn };
      }
      if (isStream) return sendEvents(request, reply, updates, { turn, echo });
      return finishedResponse(await readTurn(updates()), echo);
    }

    let named = conversation === null ? null : sessionNamed(conversation);
    if (named !== null && previous_response_id !== null)
      throw invalidRequest('conversation and previous_response_id can not stand beside each other');
    if (previous_response_id !== null && namedSession(request) === null) {
      const previous = await findTurn(request.owner, previous_response_id);
      const message = `Previous response with id '${previous_response_id}' not found.`;
      if (previous === null)
        return refuseWith(reply, 400, message, 'previous_response_id', 'previous_response_not_found');
      named = previous.session_id;
    }
    const asked = askedOf(input);
    if (isStream) streams.take(request, reply);
    else if (!isBackground) waiting.take(request, reply);
    const { turn, updates } = await submitAsked(request, reply, asked, named, metadata);
    if (isStream) return sendEvents(request, reply, updates, { turn, echo });
    if (isBackground) return openResponse(turn, echo);
    return finishedResponse(await readTurn(updates(disconnectSignal(reply))), echo);
  };

  const shown = async (request: FastifyRequest, reply: FastifyReply, turn: TurnView) =>
    turn.finished_at === null
      ? openResponse(turn, {})
      : finishedResponse(await readTurn(conversations.updates(request.owner, turn, disconnectSignal(reply))), {});

  return {
    createResponse,
    response: ofTurn(async (turn, request, reply) => {
      const { stream, starting_after: after } = parsed(Query, request.query);
      if (stream !== 'true') return shown(request, reply, turn);
      streams.take(request, reply);
      const updates = (signal: AbortSignal) => conversations.updates(request.owner, turn, signal);
      return sendEvents(request, reply, updates, { turn, echo: {}, after });
    }),
    inputItems: ofTurn(async (turn, { query }) => itemsPage([inputItem(turn)], query)),
    conversationItems: async (request, reply) => {
      const page = engine.turns(request.owner, sessionNamed(idIn(request)), { limit: TURNS_LISTED_MAX });
      const turns = await unless(['SESSION_NOT_FOUND'], page);
      if (turns !== null) return itemsPage(turns.items.flatMap(itemsOf), request.query);
      const message = `Conversation with id '${idIn(request)}' not found.`;
      return refuseWith(reply, 404, message, 'conversation_id', 'conversation_not_found');
    },
    /** The turn belongs to its session and goes with it; only the response that it is gets deleted. */
    deleteResponse: ofTurn(async ({ id, session_id }, request) => {
      await remembered.pin(request.owner, deletedKey(id), session_id);
      return { id: idIn(request), object: 'response', deleted: true };
    }),
    cancelResponse: ofTurn(async (turn, request, reply) => {
      if (turn.finished_at !== null) return shown(request, reply, turn);
      if (turn.task_id === null)
        throw invalidRequest('The response waits behind another one of its conversation; cancel that first');
      await unless(['TASK_FINISHED'], engine.cancel(request.owner, turn.task_id));
      return shown(request, reply, await engine.wait(request.owner, turn.id, disconnectSignal(reply)));
    }),
  };
};
