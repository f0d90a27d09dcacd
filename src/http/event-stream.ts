import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TurnMessage } from '../../contracts/stream.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';
import { isLoggedOnce } from '../lib/errors.ts';
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

/** Replies that end at once in one turn of the event loop where their clients have left: Node's own work for each of a thousand is enough for one. */
const inSlices = createCrowdSlices(16);

/** Aborts `work` when the client disconnects before its reply is complete, or a moment later where many do at once. */
export const abortOnDisconnect = ({ raw }: FastifyReply, work: AbortController): void => {
  if (raw.destroyed) work.abort(DISCONNECTED);
  raw.once('close', () =>
    inSlices(() => {
      if (!raw.writableFinished) work.abort(DISCONNECTED);
    }),
  );
};

/** A signal that this aborts. */
export const disconnectSignal = (reply: FastifyReply): AbortSignal => {
  const disconnected = new AbortController();
  abortOnDisconnect(reply, disconnected);
  return disconnected.signal;
};

/** Resolves when the reply takes more, or its client has left. */
const drained = (raw: ServerResponse, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      raw.removeListener('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    raw.once('drain', done);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

/** Writes messages as fast as the client takes them, and ends the reply. Stops where the client has left. Rejects when the messages do. */
const writeAll = async (raw: ServerResponse, messages: AsyncIterable<string>, signal: AbortSignal): Promise<void> => {
  for await (const message of messages) {
    if (raw.destroyed) return;
    if (!raw.write(message)) await drained(raw, signal);
  }
  if (!raw.destroyed) raw.end();
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
  // Without the framework's handling of streams: for each client that leaves it makes errors of no use, with their stacks.
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
  // Headers go out with the first bytes, which may be long before the first message.
  raw.write(`retry: ${RETRY_MS}\n\n`);
  writeAll(raw, withHeartbeats(messages(signal), heartbeatMs), signal).catch((error: unknown) => {
    // The stop of the service ends every stream, also one that was just asked for.
    if (!signal.aborted && !isLoggedOnce(error)) request.log.error({ err: error }, 'event stream failed');
    raw.destroy();
  });
  return reply;
};
