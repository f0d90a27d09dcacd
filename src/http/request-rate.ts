import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../lib/errors.ts';

/** Seconds of the rate that may come at once: a page that loads, or a client that catches up. */
const BURST_SECONDS = 2;

interface Bucket {
  tokens: number;
  /** When it was last filled, in milliseconds. */
  at: number;
}

/** Owners whose buckets are kept, before those that are full again are let go: there may be more owners than anybody counts. */
const BUCKETS_KEPT = 10_000;

/**
 * Makes what refuses an owner's requests beyond `perSecond` with 429 and `retry-after`, over all the applications that it is added to. A bucket
 * of tokens per owner, in memory.
 */
export const limitRequestRate = (perSecond: number): ((app: FastifyInstance) => void) => {
  const buckets = new Map<string, Bucket>();
  const capacity = perSecond * BURST_SECONDS;
  const letFullOnesGo = (now: number): void => {
    for (const [owner, { at }] of buckets) if (now - at > BURST_SECONDS * 1_000) buckets.delete(owner);
  };
  const takeToken: onRequestHookHandler = ({ owner }, reply, done) => {
    const now = performance.now();
    if (buckets.size >= BUCKETS_KEPT && !buckets.has(owner)) letFullOnesGo(now);
    const { tokens, at } = buckets.get(owner) ?? { tokens: capacity, at: now };
    const filled = Math.min(capacity, tokens + ((now - at) / 1_000) * perSecond);
    buckets.set(owner, { tokens: filled < 1 ? filled : filled - 1, at: now });
    if (filled >= 1) return done();
    reply.header('retry-after', Math.ceil((1 - filled) / perSecond));
    throw new ServiceError('TOO_MANY_REQUESTS', `You may send ${perSecond} requests a second; wait and send it again`);
  };
  return (app) => void app.addHook('onRequest', takeToken);
};
