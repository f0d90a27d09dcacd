import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnMessage } from '../../contracts/stream.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { ServiceError } from '../errors.ts';
import type { Narration } from '../projections/progress-stream.ts';
import { withHeartbeats } from './heartbeats.ts';
import type { HttpLimits } from './http-limits.ts';

/** How long a reader waits before it connects again, in milliseconds: a restart takes less. */
const RETRY_MS = 2_000;

/** A message as it goes over the wire: its `data` becomes one line of JSON. */
export const writeMessage = (message: TurnMessage): string =>
  `${'id' in message ? `id: ${message.id}\n` : ''}event: ${message.event}\ndata: ${JSON.stringify(message.data)}\n\n`;

/** A trace entry and directly after it the state that it changed and its progress lines, all under its seq (SPEC 11). */
export const writeEntry = (entry: TraceEntry, { stateChange, progress }: Narration): string => {
  const { seq: id, task_id } = entry;
  const state = stateChange === null ? '' : writeMessage({ id, event: 'state', data: stateChange });
  // An entry of no task has no progress.
  const lines = (task_id === null ? [] : progress).map(({ kind, text }) =>
    writeMessage({ id, event: 'progress', data: { kind, text, task_id: task_id as string } }),
  );
  return [writeMessage({ id, event: 'trace', data: entry }), state, ...lines].join('');
};

/** Why a reply ends whose client is gone; one for all, for a thousand that leave at once would each capture a stack. */
const DISCONNECTED = new Error('the client disconnected');

/** Aborts when the client disconnects before its reply is complete. */
export const disconnectSignal = (reply: FastifyReply): AbortSignal => {
  const disconnected = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) disconnected.abort(DISCONNECTED);
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort(DISCONNECTED);
  });
  return disconnected.signal;
};

/**
 * Replies with a stream of server-sent events. Messages are pulled as fast as the reader takes them, so one that never
 * reads costs a buffer until it is cut off. `messages` gets a signal that aborts when the reader disconnects.
 */
export const sendEventStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  { heartbeatMs }: HttpLimits,
  messages: (signal: AbortSignal) => AsyncIterable<string>,
): FastifyReply => {
  reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').header('x-accel-buffering', 'no');
  if (request.method === 'HEAD') return reply.send('');
  const signal = disconnectSignal(reply);
  async function* stream(): AsyncGenerator<string> {
    // Headers go out with the first bytes, which may be long before the first message.
    yield `retry: ${RETRY_MS}\n\n`;
    try {
      yield* withHeartbeats(messages(signal), heartbeatMs);
    } catch (error) {
      if (signal.aborted) return;
      // The stop of the service ends every stream, also one that was just asked for.
      if (!(error instanceof ServiceError && error.code === 'SHUTTING_DOWN'))
        request.log.error({ err: error }, 'event stream failed');
      throw error;
    }
  }
  return reply.send(Readable.from(stream(), { objectMode: false }));
};
