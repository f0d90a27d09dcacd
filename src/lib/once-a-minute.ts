/** How long a fault that goes on is not logged again, in milliseconds. */
const MINUTE_MS = 60_000;

/** Makes what says whether one of many faults is worth a line: the first so many are, and as many in each minute after that. */
export const someAMinute = (max: number): (() => boolean) => {
  let began = Number.NEGATIVE_INFINITY;
  let said = 0;
  return () => {
    const now = performance.now();
    if (now - began >= MINUTE_MS) [began, said] = [now, 0];
    said += 1;
    return said <= max;
  };
};

/** Makes what says whether a fault is worth a line: the first one is, and then one a minute, for each request may meet it. */
export const onceAMinute = (): (() => boolean) => someAMinute(1);
