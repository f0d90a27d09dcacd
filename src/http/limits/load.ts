import { getHeapStatistics } from 'node:v8';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpLimits } from './http-limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True where the route is answered whatever the load: it says that the process lives. */
    isVital?: boolean;
  }
}

/** Share of the largest heap above which requests are refused: what is under way needs the rest. */
const HEAP_SHARE = 0.9;

/** How long the event loop's delay is averaged, in milliseconds: one long piece of work is no overload. */
const SAMPLE_MS = 3_000;

/** Refuses requests with 503 while the process has more to do than it can carry. What was taken in before goes on. */
export const shedLoad = async (app: FastifyInstance, { loopDelayMsMax }: HttpLimits): Promise<void> => {
  await app.register(underPressure, {
    maxEventLoopDelay: loopDelayMsMax,
    sampleInterval: SAMPLE_MS,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * HEAP_SHARE,
    pressureHandler: ({ routeOptions }) => {
      if (routeOptions.config.isVital === true) return;
      throw new ServiceError('OVERLOADED', 'The service has more to do than it can carry now; try again soon');
    },
  });
};

/** Makes a hook that refuses an owner's requests beyond so many a second with 429; to be added behind authentication. */
export const limitRequestRate = async (app: FastifyInstance, perSecond: number): Promise<onRequestHookHandler> => {
  const none = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };
  await app.register(rateLimit, {
    global: false,
    max: perSecond,
    timeWindow: 1_000,
    keyGenerator: ({ owner }) => owner,
    addHeadersOnExceeding: none,
    addHeaders: { ...none, 'retry-after': true },
    errorResponseBuilder: () =>
      new ServiceError('TOO_MANY_REQUESTS', `You may send ${perSecond} requests a second; wait and send it again`),
  });
  return app.rateLimit() as onRequestHookHandler;
};
