/** How long a fault that goes on is not logged again, in milliseconds. */
const MINUTE_MS = 60_000;

/** Makes what says whether a fault is worth a line: the first one is, and then one a minute, for each request may meet it. */
export const onceAMinute = (): (() => boolean) => {
  let saidAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - saidAt < MINUTE_MS) return false;
    saidAt = now;
    return true;
  };
};
