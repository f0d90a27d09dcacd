import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AccessControl } from '../access/port.ts';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
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
  /** Every reply that is not over: which of them are event streams shows only later. */
  const replies = new Set<FastifyReply>();
  const readers = (): FastifyReply[] => [...replies].filter(isEventStream);

  const slices = createLoopSlices();
  const end = async (ending: readonly FastifyReply[]): Promise<void> => {
    const endOne = async ({ raw }: FastifyReply): Promise<void> => {
      await slices.next();
      // One that has come to its own end is still on its way to the reader.
      if (!raw.writableEnded) raw.destroy();
    };
    await Promise.all(ending.map(endOne));
  };

  const isLetIn = async (shown: string | null): Promise<boolean> => {
    if (!access.isRequired()) return true;
    return shown !== null && (await access.identify(shown)) !== null;
  };
  const check = async (): Promise<void> => {
    const byShown = Map.groupBy(readers(), ({ request }) => shownBy(request));
    for (const [shown, its] of byShown) {
      await slices.next();
      if (!(await isLetIn(shown).catch(() => true))) await end(its);
    }
  };
  let checking = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, checkMs);
  timer.unref();
  app.addHook('preClose', () => end(readers()));
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await checking;
  });
  return (scope) =>
    void scope.addHook('onRequest', (_request, reply, done) => {
      // One that was closed by now is closed no second time.
      if (reply.raw.destroyed) return done();
      replies.add(reply);
      reply.raw.once('close', () => replies.delete(reply));
      done();
    });
};
