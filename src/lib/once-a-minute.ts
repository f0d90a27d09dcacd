const MINUTE_MS = 60_000;

/**
 * Creates a function that says whether to log a fault: the first one, then one a minute, as every request may meet it.
 */
export const onceAMinute = (): (() => boolean) => {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const isWorthALine = now - last >= MINUTE_MS;
    if (isWorthALine) last = now;
    return isWorthALine;
  };
};
