/** Size of the load: `SESSIONS` turns at once, each with `CALLS` model calls. */
export const SESSIONS = Number(process.env['BENCH_SESSIONS'] ?? 1_000);

/** Model calls of a turn: a plan, a thought that calls a tool, a thought that ends the item, and the answer. */
export const CALLS = 4;

/** Longest life of any process of this measurement, in milliseconds: whatever goes wrong, none remains. */
export const LIFE_MS_MAX = 300_000;

/** The goal of one session, by which the model's server recognizes the session. */
export const goalOf = (session: number): string => `Check release ${session} and note what is left to do`;

/** Finds the session's number in the text of a request. */
export const SESSION_IN_GOAL = /Check release (\d+) /;

/** A quantile of sorted values. */
export const quantile = (sorted: number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
