/** One day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The day of a time in epoch milliseconds, in UTC, such as 2026-11-29. */
export const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** When a day begins, in epoch milliseconds. */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

export const dayAfter = (day: string): string => dayAt(startOf(day) + DAY_MS);

/** The days from the first to the last, both included. */
export function* daysBetween(first: string, last: string): Generator<string> {
  for (let day = first; day <= last; day = dayAfter(day)) yield day;
}
