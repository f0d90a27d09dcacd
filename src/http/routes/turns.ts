import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { TurnRequest } from '../../../contracts/http.ts';
import { TurnMessage } from '../../../contracts/stream.ts';
import { TurnView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { bindTurn, callerTrace } from '../server/request-log.ts';
import { disconnectSignal } from '../streams/event-stream.ts';
import { type StreamedSessions, turnMessages, watchFrom } from '../streams/turn-stream.ts';
import type { RouteParts } from './port.ts';
import { EVENT_STREAM, json, routesOf, sequenceOf } from './schemas.ts';

/** True when `Accept` names an event stream and not JSON. A wildcard does not count. */
const wantsEvents = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  /text\/event-stream/i.test(accept) && !/application\/json/i.test(accept);

/** True when `Prefer` asks for an asynchronous reply (RFC 7240). */
const prefersAsync = ({ prefer = '' }: IncomingHttpHeaders): boolean => /\brespond-async\b/i.test(String(prefer));

const TurnHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({ description: 'Same key and body: the same turn. Same key and another body: 422.' }),
  prefer: z.string().optional().meta({ description: '`respond-async`: 202 at once, and the turn at `Location`.' }),
});

interface Parts
  extends Pick<RouteParts, 'serviceLimits' | 'streams' | 'waiting' | 'callbackProblem' | 'metrics' | 'traceOf'> {
  engine: StreamedSessions & Pick<SessionsApi, 'submit'>;
}

/**
 * The finished turn, or the turn as it is after the longest wait. Null if its caller has disconnected, which stops the
 * waiting and never the turn.
 */
const finishedTurn = async (
  { engine, serviceLimits }: Parts,
  owner: string,
  reply: FastifyReply,
  turn: TurnView,
): Promise<TurnView | null> => {
  const left = disconnectSignal(reply);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), serviceLimits.waiting_seconds * 1_000);
  try {
    return await engine.wait(owner, turn.id, AbortSignal.any([left, late.signal]));
  } catch (error) {
    if (left.aborted) return null;
    if (late.signal.aborted) return engine.turn(owner, turn.id);
    // The turn is stored, so its caller can ask for it when the service is back.
    reply.header('location', `/v1/turns/${turn.id}`);
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

/** `POST /v1/sessions/{session_id}/turns`, `GET /v1/turns/{turn_id}` and its events (SPEC 11). */
export const addTurnRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, streams } = parts;
  const { route } = routesOf(app, 'turns');

  route('POST /v1/sessions/:session_id/turns', 'sendTurn', {
    summary: 'Send an input and get its reply',
    description:
      '`input` is what the user says; `decision` in its place decides on the action that waits for approval, and gives 409 if there is none. ' +
      'Waits for the finished turn at most as long as `GET /v1/limits` says, then answers 202. With `Prefer: respond-async` it answers 202 at once. With `Accept: text/event-stream` it ' +
      "streams the turn's messages as they happen; `GET /v1/turns/{turn_id}/events` describes them.",
    body: TurnRequest,
    schema: {
      headers: TurnHeaders,
      response: {
        // The stream is described at its own address, so that clients of this one need not tell it from the turn.
        200: json('The finished turn', TurnView),
        202: json('The turn, which is not finished yet', TurnView),
      },
    },
    handle: async (request, reply) => {
      const { owner, headers } = request;
      const key = headers['idempotency-key'];
      const isStream = wantsEvents(headers);
      const isAsync = prefersAsync(headers);
      const { callback_url } = request.body;
      const problem = callback_url === undefined ? null : await parts.callbackProblem(callback_url);
      if (problem !== null) throw new ServiceError('INVALID_REQUEST', problem);
      if (isStream) {
        streams.take(request, reply);
        watchFrom(engine, owner, request.params.session_id, reply);
      } else if (!isAsync) parts.waiting.take(request, reply);
      const { turn } = await engine.submit({
        ...request.body,
        input: request.body.input ?? '',
        owner,
        by: request.by,
        session_id: request.params.session_id,
        ...(key !== undefined && { idempotency_key: String(key) }),
        ...callerTrace(request),
      });
      bindTurn(parts, request, turn);
      if (isStream) {
        reply.header('location', `/v1/turns/${turn.id}`);
        return streams.send(request, reply, (signal) => turnMessages(parts, owner, turn, signal, request));
      }
      if (isAsync) {
        reply.header('location', `/v1/turns/${turn.id}`).header('preference-applied', 'respond-async');
        return reply.code(202).send(turn);
      }
      // A command is answered when it is stored.
      const finished = turn.finished_at === null ? await finishedTurn(parts, owner, reply, turn) : turn;
      if (finished === null) return reply.hijack();
      request.turnStatus = finished.status;
      if (finished.finished_at === null) reply.code(202).header('location', `/v1/turns/${turn.id}`);
      return reply.send(finished);
    },
  });

  route('GET /v1/turns/:turn_id', 'getTurn', {
    summary: 'A turn, finished or not',
    description: 'While it is not finished its `status` is `queued` or `running`.',
    returns: TurnView,
    handle: ({ owner, params }) => engine.turn(owner, params.turn_id),
  });

  route('GET /v1/turns/:turn_id/events', 'followTurn', {
    options: { exposeHeadRoute: false },
    summary: "A turn's events as they happen, and the finished turn",
    description:
      "From the turn's beginning: its `trace`, `state`, `progress`, `answer.delta` and `answer.retracted` messages, as in a session's events, and the finished " +
      'turn as the last message, `turn`; `problem` in its place if the service stops first.',
    schema: { response: { 200: sequenceOf('The messages', EVENT_STREAM, TurnMessage) } },
    handle: async (request, reply) => {
      const { owner } = request;
      const turn = await engine.turn(owner, request.params.turn_id);
      streams.take(request, reply);
      return streams.send(request, reply, (signal) => turnMessages(parts, owner, turn, signal, request));
    },
  });
};
