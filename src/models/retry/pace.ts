import { setTimeout as sleep } from 'node:timers/promises';
import type { Backoff } from '../../lib/backoff.ts';

/** Waits `ms` milliseconds; rejects as soon as `signal` aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** The wait by the real clock. */
export const waitOnClock: Wait = (ms, signal) => sleep(ms, undefined, { signal });

/** The pauses between two tries: four tries end within a few seconds. */
export const MODEL_BACKOFF = { firstMs: 500 } satisfies Backoff;

/**
 * A `retry-after` header, seconds or an HTTP date, in milliseconds from `now` (epoch milliseconds), never negative.
 * Null when there is none or it can't be understood.
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
