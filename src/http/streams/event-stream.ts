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
const writeEntry = (narration: Narration | AnswerNews): string => {
  if ('data' in narration) return writeMessage(narration);
  const { entry, stateChange, progress } = narration;
  const { seq: id, task_id } = entry;
  const state = stateChange === null ? '' : writeMessage({ id, event: 'state', data: stateChange });
  // An entry of no task has no progress.
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

/** Makes an application's event streams, at most `perOwner` for each owner. Each heartbeat looks whether the caller is still let in. All end before the application closes. */
export const createEventStreams = (
  app: FastifyInstance,
  access: AccessControl,
  { heartbeatMs, stallMs }: HttpLimits,
  perOwner: number,
) => {
  const slots = createSlots(perOwner, 'Too many event streams are open; close some, or try again later');
  const open = new Set<ServerResponse>();
  const texts = new WeakMap<Narration | AnswerNews, string>();
  /** Leaves alone one that has come to its own end and is still on its way to the reader. */
  const end = (raw: ServerResponse): void => {
    if (!raw.writableEnded) raw.destroy();
  };
  app.addHook('preClose', async () => open.forEach(end));
  const isLetIn = async (request: FastifyRequest): Promise<boolean> => {
    if (!access.isRequired()) return true;
    const shown = shownBy(request);
    // One that can't be looked at is left for the next time.
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
    /** Replies with messages, pulled as the reader takes them, and heartbeats between. `messages` gets a signal that aborts when the reader disconnects or stalls. */
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
      raw.once('close', () => {
        clearInterval(heart);
        open.delete(raw);
      });
      raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
      // Headers go out with the first bytes, which may be long before the first message.
      raw.write(`retry: ${RETRY_MS}\n\n`);
      const packets = new Packets(raw);
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
