import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AccessControl } from '../access/port.ts';
import { createLoopSlices } from '../loop-slices.ts';
import { shownBy } from './authentication.ts';

const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');

/**
 * Makes what ends the event streams of callers who would not be let in any more: a key that is revoked or has expired reads no further. Looks at each
 * key or token once every `checkMs`; one that can't be looked at is left for the next time. All streams end before the application closes. However
 * many end at once, they do so over turns of the event loop. Gives what adds an application to it.
 */
export const endRevokedReaders = (
  app: FastifyInstance,
  access: AccessControl,
  checkMs: number,
): ((scope: FastifyInstance) => void) => {
  /** What each reader showed; null: nothing, for nothing was asked for. */
  const readers = new Map<ServerResponse, string | null>();

  const slices = createLoopSlices();
  const end = async (replies: readonly ServerResponse[]): Promise<void> => {
    const endOne = async (reply: ServerResponse): Promise<void> => {
      await slices.next();
      // One that has come to its own end is still on its way to the reader.
      if (!reply.writableEnded) reply.destroy();
    };
    await Promise.all(replies.map(endOne));
  };

  const isLetIn = async (shown: string | null): Promise<boolean> => {
    if (!access.isRequired()) return true;
    return shown !== null && (await access.identify(shown)) !== null;
  };
  const check = async (): Promise<void> => {
    for (const shown of new Set(readers.values())) {
      if (await isLetIn(shown).catch(() => true)) continue;
      await end([...readers.keys()].filter((reply) => readers.get(reply) === shown));
    }
  };
  let checking = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, checkMs);
  timer.unref();
  app.addHook('preClose', () => end([...readers.keys()]));
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await checking;
  });
  const addReader = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isEventStream(reply)) return;
    readers.set(reply.raw, shownBy(request));
    reply.raw.once('close', () => readers.delete(reply.raw));
  };
  return (scope) => void scope.addHook('onSend', addReader);
};
