import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TurnMessage } from '../../../contracts/stream.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { AccessControl } from '../../access/port.ts';
import { isLoggedOnce } from '../../lib/errors.ts';
import type { Narration } from '../../projections/narrator.ts';
import { shownBy } from '../admission.ts';
import { createSlots, type HttpLimits } from '../limits.ts';

/** How long a reader waits before it connects again, in milliseconds: a restart takes less. */
const RETRY_MS = 2_000;

/** A comment: keeps proxies from closing the connection, and means nothing to readers. */
const HEARTBEAT = ': heartbeat\n\n';

/** A message as it goes over the wire: its `data` becomes one line of JSON. */
export const writeMessage = (message: TurnMessage): string =>
  `${'id' in message ? `id: ${message.id}\n` : ''}event: ${message.event}\ndata: ${JSON.stringify(message.data)}\n\n`;

/** A value as a message without a name, as most protocols have them. */
export const dataMessage = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

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
 * Makes the event streams of an application, at most `perOwner` for each owner. Callers who would not be let in any more read no further: each key
 * or token is looked at once every `accessCheckMs`. All streams end before the application closes.
 */
export const createEventStreams = (
  app: FastifyInstance,
  access: AccessControl,
  limits: HttpLimits,
  perOwner: number,
) => {
  const slots = createSlots(perOwner, 'Too many event streams are open; close some, or try again later');
  const readers = new Set<FastifyReply>();
  /** Leaves alone one that has come to its own end and is still on its way to the reader. */
  const end = ({ raw }: FastifyReply): void => {
    if (!raw.writableEnded) raw.destroy();
  };
  const isLetIn = async (shown: string | null): Promise<boolean> =>
    !access.isRequired() || (shown !== null && (await access.identify(shown)) !== null);
  const endRevoked = async (): Promise<void> => {
    const byShown = Map.groupBy(readers, ({ request }) => shownBy(request));
    // One that can't be looked at is left for the next time.
    for (const [shown, its] of byShown) if (!(await isLetIn(shown).catch(() => true))) its.forEach(end);
  };
  let checking = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(endRevoked);
  }, limits.accessCheckMs).unref();
  app.addHook('preClose', async () => readers.forEach(end));
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await checking;
  });
  return {
    used: slots.used,
    take: (request: FastifyRequest, reply: FastifyReply): void => {
      if (request.method !== 'HEAD') slots.take(request, reply);
    },
    /**
     * Replies with messages, and a heartbeat where nothing else is written. They are pulled as fast as the reader takes them; `messages` gets a
     * signal that aborts when the reader disconnects.
     */
    send: (
      request: FastifyRequest,
      reply: FastifyReply,
      messages: (signal: AbortSignal) => AsyncIterable<string>,
    ): FastifyReply => {
      reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send('');
      const signal = disconnectSignal(reply);
      reply.hijack();
      const { raw } = reply;
      readers.add(reply);
      raw.once('close', () => readers.delete(reply));
      raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
      // Headers go out with the first bytes, which may be long before the first message.
      raw.write(`retry: ${RETRY_MS}\n\n`);
      writeAll(raw, messages(signal), limits, signal).catch((error: unknown) => {
        // The stop of the service ends every stream, also one that was just asked for.
        const isStalled = error instanceof Error && error.name === 'AbortError';
        if (!signal.aborted && !isStalled && !isLoggedOnce(error))
          request.log.error({ err: error }, 'event stream failed');
        raw.destroy();
      });
      return reply;
    },
  };
};
export type EventStreams = ReturnType<typeof createEventStreams>;
