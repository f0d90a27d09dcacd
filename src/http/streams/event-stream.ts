import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnMessage } from '../../../contracts/stream.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { isLoggedOnce } from '../../lib/errors.ts';
import type { Narration } from '../../projections/narrator.ts';
import type { HttpLimits } from '../limits/http-limits.ts';

/** How long a reader waits before it connects again, in milliseconds: a restart takes less. */
const RETRY_MS = 2_000;

/** A comment: keeps proxies from closing the connection, and means nothing to readers. */
const HEARTBEAT = ': heartbeat\n\n';

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

/** Aborts `work` when the client disconnects before its reply is complete. */
export const abortOnDisconnect = ({ raw }: FastifyReply, work: AbortController): void => {
  const end = (): void => {
    if (!raw.writableFinished) work.abort(new Error('the client disconnected'));
  };
  if (raw.destroyed) end();
  else raw.once('close', end);
};

/** A signal that this aborts. */
export const disconnectSignal = (reply: FastifyReply): AbortSignal => {
  const disconnected = new AbortController();
  abortOnDisconnect(reply, disconnected);
  return disconnected.signal;
};

/** Writes messages as fast as the client takes them, and ends the reply. Hangs up on a client that takes nothing for `stallMs`. Rejects when the messages do. */
const writeAll = async (
  raw: ServerResponse,
  messages: AsyncIterable<string>,
  { heartbeatMs, stallMs }: HttpLimits,
  signal: AbortSignal,
): Promise<void> => {
  const heart = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(HEARTBEAT);
  }, heartbeatMs);
  try {
    for await (const message of messages) {
      if (raw.destroyed) return;
      heart.refresh();
      if (!raw.write(message))
        await once(raw, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(stallMs)]) });
    }
    if (!raw.destroyed) raw.end();
  } finally {
    clearInterval(heart);
  }
};

/**
 * Replies with a stream of server-sent events, with a heartbeat where nothing else is written. Messages are pulled as fast as the reader takes them, so one that
 * never reads costs a buffer until it is cut off. `messages` gets a signal that aborts when the reader disconnects.
 */
export const sendEventStream = (
  request: FastifyRequest,
  reply: FastifyReply,
  limits: HttpLimits,
  messages: (signal: AbortSignal) => AsyncIterable<string>,
): FastifyReply => {
  reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store').header('x-accel-buffering', 'no');
  if (request.method === 'HEAD') return reply.send('');
  const signal = disconnectSignal(reply);
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  // Headers go out with the first bytes, which may be long before the first message.
  raw.write(`retry: ${RETRY_MS}\n\n`);
  writeAll(raw, messages(signal), limits, signal).catch((error: unknown) => {
    // The stop of the service ends every stream, also one that was just asked for.
    const isStalled = error instanceof Error && error.name === 'AbortError';
    if (!signal.aborted && !isStalled && !isLoggedOnce(error)) request.log.error({ err: error }, 'event stream failed');
    raw.destroy();
  });
  return reply;
};
