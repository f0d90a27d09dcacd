import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerNews, TurnMessage } from '../../../contracts/stream.ts';
import type { AccessControl } from '../../access/port.ts';
import type { Narration } from '../../history/narration.ts';
import { isLoggedOnce } from '../../lib/errors.ts';
import { shownBy } from '../server/admission.ts';
import { createSlots, type HttpLimits } from '../server/limits.ts';
import { Packets } from './packets.ts';

/** How long a reader waits before it reconnects, in milliseconds: a restart takes less. */
const RETRY_MS = 2_000;

/** A comment. It keeps proxies from closing the connection, and readers ignore it. */
const HEARTBEAT = ': heartbeat\n\n';

/** A message as it is sent: its `data` becomes one line of JSON. */
export const writeMessage = (message: TurnMessage): string =>
  `${'id' in message ? `id: ${message.id}\n` : ''}event: ${message.event}\ndata: ${JSON.stringify(message.data)}\n\n`;

/** A value as an unnamed message, as most protocols use. */
export const dataMessage = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/**
 * A trace entry, directly followed by the state that it changed and its progress lines, all under its seq (SPEC 11).
 */
const writeEntry = (narration: Narration | AnswerNews): string => {
  if ('data' in narration) return writeMessage(narration);
  const { entry, stateChange, progress } = narration;
  const { seq: id, task_id } = entry;
  const state = stateChange === null ? '' : writeMessage({ id, event: 'state', data: stateChange });
  // An entry without a task has no progress.
  const lines = (task_id === null ? [] : progress).map(({ kind, text }) =>
    writeMessage({ id, event: 'progress', data: { kind, text, task_id: task_id as string } }),
  );
  return [writeMessage({ id, event: 'trace', data: entry }), state, ...lines].join('');
};

/** A signal that aborts when the client disconnects before its reply is complete. */
export const disconnectSignal = ({ raw }: FastifyReply): AbortSignal => {
  const disconnected = new AbortController();
  const end = (): void => {
    if (!raw.writableFinished) disconnected.abort(new Error('the client disconnected'));
  };
  if (raw.destroyed) end();
  else raw.once('close', end);
  return disconnected.signal;
};

/**
 * Creates an application's event streams, at most `perOwner` for each owner. Each heartbeat checks that the caller is
 * still authorized. All streams end before the application closes.
 */
export const createEventStreams = (
  app: FastifyInstance,
  access: AccessControl,
  { heartbeatMs, stallMs }: HttpLimits,
  perOwner: number,
) => {
  const slots = createSlots(perOwner, 'Too many event streams are open; close some, or try again later');
  const open = new Set<ServerResponse>();
  const texts = new WeakMap<Narration | AnswerNews, string>();
  /** Does not touch a stream that has ended and is still being sent. */
  const end = (raw: ServerResponse): void => {
    if (!raw.writableEnded) raw.destroy();
  };
  app.addHook('preClose', async () => open.forEach(end));
  const isLetIn = async (request: FastifyRequest): Promise<boolean> => {
    if (!access.isRequired()) return true;
    const shown = shownBy(request);
    // If the check fails, the next heartbeat repeats it.
    return shown !== null && (await access.identify(shown).catch(() => undefined)) !== null;
  };
  const beat = async (request: FastifyRequest, raw: ServerResponse): Promise<void> => {
    if (!(await isLetIn(request))) end(raw);
    else if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(HEARTBEAT);
  };
  return {
    ...slots,
    /** An item as it goes over the wire: written once for all streams that send it. */
    textOf: (item: Narration | AnswerNews): string => {
      const text = texts.get(item) ?? writeEntry(item);
      texts.set(item, text);
      return text;
    },
    /**
     * Replies with messages, pulled as fast as the reader accepts them, and heartbeats between them. `messages` gets a
     * signal that aborts when the reader disconnects or stalls.
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
      const signal = disconnectSignal(reply);
      reply.hijack();
      const { raw } = reply;
      const heart = setInterval(() => void beat(request, raw), heartbeatMs);
      open.add(raw);
      const packets = new Packets(raw);
      raw.once('close', () => {
        clearInterval(heart);
        packets.close();
        open.delete(raw);
      });
      raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
      // Headers are sent with the first bytes, which may be long before the first message.
      raw.write(`retry: ${RETRY_MS}\n\n`);
      const writeAll = async (): Promise<void> => {
        for await (const message of messages(signal)) {
          if (raw.destroyed) return;
          packets.write(message);
          if (raw.writableNeedDrain)
            await once(raw, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(stallMs)]) });
        }
        packets.flush();
        raw.end();
      };
      writeAll().catch((error: unknown) => {
        // When the service stops, every stream ends, even one that was just requested.
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
