export interface Backoff {
  /** The pause after the first failed attempt, in milliseconds. */
  firstMs: number;
  /** Each further pause is this many times longer; default 2. */
  factor?: number;
  /** Longest pause in milliseconds; default: no limit. */
  maxMs?: number;
}

/**
 * The pause after a number of failed attempts, counted from 1, in milliseconds. `random` (0 to 1) takes up to half off.
 */
export const backoffMs = (
  { firstMs, factor = 2, maxMs = Number.POSITIVE_INFINITY }: Backoff,
  failures: number,
  random: () => number = () => 0,
): number => Math.round(Math.min(firstMs * factor ** (failures - 1), maxMs) * (1 - random() / 2));
