import { setTimeout as sleep } from 'node:timers/promises';

/** Waits `ms` milliseconds; rejects as soon as `signal` aborts. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** The wait by the real clock. */
export const waitOnClock: Wait = (ms, signal) => sleep(ms, undefined, { signal });

/** The first pause between two tries, in milliseconds, doubled each time: four tries end within a few seconds. */
export const BACKOFF_MS_FIRST = 500;

/**
 * How long to wait after the `attempt`-th failed try, counted from 1, in milliseconds. The jitter takes up to half off,
 * so that the sessions which failed together don't come back together. `random` gives 0 to 1.
 */
export const backoffMs = (attempt: number, random: () => number): number =>
  Math.round(BACKOFF_MS_FIRST * 2 ** (attempt - 1) * (1 - random() / 2));

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
