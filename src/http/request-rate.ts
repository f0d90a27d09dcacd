import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';

/** Seconds of the rate that may come at once: a page that loads, or a client that catches up. */
const BURST_SECONDS = 2;

interface Bucket {
  tokens: number;
  /** When it was last filled, in milliseconds. */
  at: number;
}

/** Refuses an owner's requests beyond `perSecond` with 429 and `retry-after`. A bucket of tokens per owner, in memory. */
export const limitRequestRate = (app: FastifyInstance, perSecond: number): void => {
  const buckets = new Map<string, Bucket>();
  const capacity = perSecond * BURST_SECONDS;
  app.addHook('onRequest', async ({ owner }, reply) => {
    const now = performance.now();
    const { tokens, at } = buckets.get(owner) ?? { tokens: capacity, at: now };
    const filled = Math.min(capacity, tokens + ((now - at) / 1_000) * perSecond);
    buckets.set(owner, { tokens: filled < 1 ? filled : filled - 1, at: now });
    if (filled >= 1) return;
    reply.header('retry-after', Math.ceil((1 - filled) / perSecond));
    throw new ServiceError('TOO_MANY_REQUESTS', `You may send ${perSecond} requests a second; wait and send it again`);
  });
};
