import { getHeapStatistics } from 'node:v8';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True where the route is answered whatever the load: it says that the process lives. */
    isVital?: boolean;
  }
}

/** Times of the HTTP application, in milliseconds; the service runs on these, tests tighten them. */
export const httpLimits = {
  /** Time for a whole request to come in: a trace of full length over 1 Mbit/s. A slow reply is not cut. */
  requestTimeoutMs: 150_000,
  /** Time that an idle connection is kept: longer than the 60 s of common proxies, which then close first. */
  keepAliveTimeoutMs: 72_000,
  /** Time between heartbeats of an event stream: as long a revoked key still reads, and below the 30 s after which some proxies hang up. */
  heartbeatMs: 5_000,
  /** Time that a reader of events may take nothing; it connects again with `Last-Event-ID`. */
  stallMs: 120_000,
  /** Mean delay of the event loop above which requests are refused. */
  loopDelayMsMax: 500,
};
export type HttpLimits = typeof httpLimits;

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

/** Makes places for an owner's replies in progress, so many for each owner; `refusal` says what to do when none is free. */
export const createSlots = (perOwner: number, refusal: string) => {
  const taken = new Map<string, number>();
  const used = (owner: string): number => taken.get(owner) ?? 0;
  const leave = (owner: string): void => {
    const left = used(owner) - 1;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
  };
  return {
    /** Takes a place until the reply is closed; throws `TOO_MANY_REQUESTS` when none is free. */
    take: ({ owner }: Pick<FastifyRequest, 'owner'>, { raw }: FastifyReply): void => {
      if (raw.destroyed) return;
      if (used(owner) >= perOwner) throw new ServiceError('TOO_MANY_REQUESTS', refusal);
      taken.set(owner, used(owner) + 1);
      raw.once('close', () => leave(owner));
    },
    used,
  };
};
export type Slots = ReturnType<typeof createSlots>;
