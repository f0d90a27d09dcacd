import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AccessControl } from '../../access/port.ts';
import { shownBy } from '../authentication.ts';

const isEventStream = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');

/** Ends a stream, but for one that has come to its own end and is still on its way to the reader. */
const end = ({ raw }: FastifyReply): void => {
  if (!raw.writableEnded) raw.destroy();
};

/**
 * Ends the event streams of callers who would not be let in any more: a key that is revoked or has expired reads no further. Looks at each key or token
 * once every `checkMs`; one that can't be looked at is left for the next time. All streams end before the application closes. Gives what adds an
 * application to it.
 */
export const endRevokedReaders = (
  app: FastifyInstance,
  access: AccessControl,
  checkMs: number,
): ((scope: FastifyInstance) => void) => {
  /** Every reply that is not over: which of them are event streams shows only later. */
  const replies = new Set<FastifyReply>();
  const readers = (): FastifyReply[] => [...replies].filter(isEventStream);

  const isLetIn = async (shown: string | null): Promise<boolean> => {
    if (!access.isRequired()) return true;
    return shown !== null && (await access.identify(shown)) !== null;
  };
  const check = async (): Promise<void> => {
    const byShown = Map.groupBy(readers(), ({ request }) => shownBy(request));
    for (const [shown, its] of byShown) if (!(await isLetIn(shown).catch(() => true))) its.forEach(end);
  };
  let checking = Promise.resolve();
  const timer = setInterval(() => {
    checking = checking.then(check);
  }, checkMs).unref();
  app.addHook('preClose', async () => readers().forEach(end));
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
