export interface Backoff {
  /** The pause after the first failed try, in milliseconds. */
  firstMs: number;
  /** By how much each further pause is longer; default 2. */
  factor?: number;
  /** Longest pause in milliseconds; default none. */
  maxMs?: number;
}

/** The pause after so many failed tries, counted from 1, in milliseconds. `random` (0 to 1) takes up to half off; without it nothing. */
export const backoffMs = (
  { firstMs, factor = 2, maxMs = Number.POSITIVE_INFINITY }: Backoff,
  failures: number,
  random: () => number = () => 0,
): number => Math.round(Math.min(firstMs * factor ** (failures - 1), maxMs) * (1 - random() / 2));
