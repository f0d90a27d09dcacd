import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TurnView } from '../../../contracts/turn-view.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { bindTurn, callerTrace } from '../server/request-log.ts';
import { disconnectSignal } from '../streams/event-stream.ts';
import { type StreamedSessions, turnMessages, watchFrom } from '../streams/turn-stream.ts';
import type { RouteParts } from './port.ts';
import { json } from './schemas.ts';

/** True when `Accept` names an event stream and not JSON. A wildcard does not count. */
const wantsEvents = ({ accept = '' }: IncomingHttpHeaders): boolean =>
  /text\/event-stream/i.test(accept) && !/application\/json/i.test(accept);

/** True when `Prefer` asks for an asynchronous reply (RFC 7240). */
const prefersAsync = ({ prefer = '' }: IncomingHttpHeaders): boolean => /\brespond-async\b/i.test(String(prefer));

/** The headers of a request that sends a turn. */
export const TurnHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .optional()
    .meta({ description: 'Same key and body: the same turn. Same key and another body: 422.' }),
  prefer: z.string().optional().meta({ description: '`respond-async`: 202 at once, and the turn at `Location`.' }),
});

/** The replies to a turn. The stream is described at its own address, so that clients of this one need not tell it from the turn. */
export const turnReplies = {
  200: json('The finished turn', TurnView),
  202: json('The turn, which is not finished yet', TurnView),
};

export interface TurnParts
  extends Pick<RouteParts, 'serviceLimits' | 'streams' | 'waiting' | 'callbackProblem' | 'metrics' | 'traceOf'> {
  engine: StreamedSessions & Pick<SessionsApi, 'submit'>;
}

/**
 * The finished turn, or the turn as it is after the longest wait. Null if its caller has disconnected, which stops the
 * waiting and never the turn.
 */
const finishedTurn = async (
  { engine, serviceLimits }: TurnParts,
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

type SentTurn = Omit<
  Parameters<SessionsApi['submit']>[0],
  'owner' | 'by' | 'decider' | 'session_id' | 'idempotency_key' | 'traceparent'
>;

type TurnSending = Omit<FastifyRequest, 'params'> & { params: { session_id: string } };

/**
 * Submits the turn of a request and replies as its headers ask: with the finished turn, at once, or with a stream of
 * its messages. `afterSubmit` runs once the turn is stored or refused, before the reply.
 */
export const createTurnSender = (
  parts: TurnParts,
  afterSubmit: (request: Pick<FastifyRequest, 'raw'>) => Promise<void> = async () => {},
) => {
  const { engine, streams } = parts;
  const submit = async (request: TurnSending, turn: Parameters<SessionsApi['submit']>[0]): Promise<TurnView> => {
    try {
      return (await engine.submit(turn)).turn;
    } finally {
      await afterSubmit(request);
    }
  };
  return async (request: TurnSending, reply: FastifyReply, turn: SentTurn): Promise<FastifyReply> => {
    const { owner, headers } = request;
    const key = headers['idempotency-key'];
    const isStream = wantsEvents(headers);
    const isAsync = prefersAsync(headers);
    const { callback_url } = turn;
    const problem = callback_url === undefined ? null : await parts.callbackProblem(callback_url);
    if (problem !== null) throw new ServiceError('INVALID_REQUEST', problem);
    if (isStream) {
      streams.take(request, reply);
      watchFrom(engine, owner, request.params.session_id, reply);
    } else if (!isAsync) parts.waiting.take(request, reply);
    const submitted = await submit(request, {
      ...turn,
      owner,
      by: request.by,
      decider: request.decider,
      session_id: request.params.session_id,
      ...(key !== undefined && { idempotency_key: String(key) }),
      ...callerTrace(request),
    });
    bindTurn(parts, request, submitted);
    if (isStream) {
      reply.header('location', `/v1/turns/${submitted.id}`);
      return streams.send(request, reply, (signal) => turnMessages(parts, owner, submitted, signal, request));
    }
    if (isAsync) {
      reply.header('location', `/v1/turns/${submitted.id}`).header('preference-applied', 'respond-async');
      return reply.code(202).send(submitted);
    }
    // A command is answered when it is stored.
    const finished = submitted.finished_at === null ? await finishedTurn(parts, owner, reply, submitted) : submitted;
    if (finished === null) return reply.hijack();
    request.turnStatus = finished.status;
    if (finished.finished_at === null) reply.code(202).header('location', `/v1/turns/${submitted.id}`);
    return reply.send(finished);
  };
};
