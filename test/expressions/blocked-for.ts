/** Times that a piece of work is measured before it counts as too slow: the first ones also compile it, and another process may share the core. */
const TRIES = 10;

/** Longest that one piece of work may block the event loop, in milliseconds (SPEC 11). */
export const BLOCKED_MS_MAX = 50;

/** The processor time that a piece of work takes on this thread, in milliseconds, measured once. */
export const cpuMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
};

/** The least processor time of a few tries, in milliseconds, so that neither a busy machine nor a cold start counts. */
export const blockedFor = (work: () => unknown): number => {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && leastMs > BLOCKED_MS_MAX; i++) leastMs = Math.min(leastMs, cpuMs(work));
  return leastMs;
};
