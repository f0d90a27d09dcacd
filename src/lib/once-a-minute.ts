const MINUTE_MS = 60_000;

/** Makes a function that says whether a fault is worth a line: the first one is, and then one a minute, for each request may meet it. */
export const onceAMinute = (): (() => boolean) => {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    const isWorthALine = now - last >= MINUTE_MS;
    if (isWorthALine) last = now;
    return isWorthALine;
  };
};
