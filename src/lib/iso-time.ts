/** The years 0 to 9999, in epoch milliseconds: those that ISO 8601 writes in four digits. */
const TIMES = [Date.UTC(-1, 12), Date.UTC(10_000, 0) - 1] as const;

/**
 * Epoch milliseconds as ISO 8601 in UTC. A time out of range, as in a row written by hand, becomes the first or last
 * one, so that it breaks no list.
 */
export const iso = (at: number): string => new Date(Math.min(Math.max(at, TIMES[0]), TIMES[1])).toISOString();

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** The UTC day of a time in epoch milliseconds, such as 20260105. */
export const dayOf = (at: number): number => {
  const date = new Date(at);
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
};
