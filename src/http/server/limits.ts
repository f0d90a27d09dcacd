import { getHeapStatistics } from 'node:v8';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is answered under any load: it shows that the process is alive. */
    isVital?: boolean;
  }
}

/** Timeouts of the HTTP application, in milliseconds. Tests set shorter ones. */
export const httpLimits = {
  /** Longest time for a whole request to arrive: a trace of full length at 1 Mbit/s. Slow replies are not cut. */
  requestTimeoutMs: 150_000,
  /** How long an idle connection stays open. Longer than the 60 s of common proxies, so that the proxy closes first. */
  keepAliveTimeoutMs: 72_000,
  /**
   * Time between heartbeats of an event stream. A revoked key can read for that long, and some proxies close idle
   * streams after 30 s.
   */
  heartbeatMs: 5_000,
  /** How long a reader of events may accept no data before its stream is closed. It reconnects with `Last-Event-ID`. */
  stallMs: 120_000,
  /** Mean event-loop delay above which requests are refused. */
  loopDelayMsMax: 500,
  /** Window over which that delay is averaged: one long task is not overload. */
  loopSampleMs: 3_000,
  /**
   * How long after listening the delay is not looked at. Loading modules, opening stores and connecting to servers
   * block the loop for seconds on a busy machine, and no request is to blame for it.
   */
  settlingMs: 10_000,
};
export type HttpLimits = typeof httpLimits;

/** Share of the heap limit above which requests are refused: work in progress needs the rest. */
const HEAP_SHARE = 0.9;

/** Refuses requests with 503 while the process is overloaded. Accepted requests continue. */
export const shedLoad = async (app: FastifyInstance, limits: HttpLimits): Promise<void> => {
  const { loopDelayMsMax, loopSampleMs, settlingMs } = limits;
  let settledAt = Number.POSITIVE_INFINITY;
  app.addHook('onListen', async () => {
    settledAt = performance.now() + settlingMs;
  });
  await app.register(underPressure, {
    maxEventLoopDelay: loopDelayMsMax,
    sampleInterval: loopSampleMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * HEAP_SHARE,
    pressureHandler: ({ routeOptions }, _reply, type) => {
      if (routeOptions.config.isVital === true) return;
      if (type === underPressure.TYPE_EVENT_LOOP_DELAY && performance.now() < settledAt) return;
      throw new ServiceError('OVERLOADED', 'The service is overloaded; try again soon');
    },
  });
};

/** Creates a hook that answers an owner's requests above the rate with 429. It has to run after authentication. */
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
      new ServiceError('TOO_MANY_REQUESTS', `You may send ${perSecond} requests a second; wait and try again`),
  });
  return app.rateLimit() as onRequestHookHandler;
};

/** Limits the replies in progress of each owner; `refusal` tells a caller above the limit what to do. */
export const createSlots = (perOwner: number, refusal: string) => {
  const taken = new Map<string, number>();
  const used = (owner: string): number => taken.get(owner) ?? 0;
  const leave = (owner: string): void => {
    const left = used(owner) - 1;
    if (left === 0) taken.delete(owner);
    else taken.set(owner, left);
  };
  return {
    /** Takes a slot until the reply is closed. Throws `TOO_MANY_REQUESTS` when none is free. */
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
