/** How far the clock may go ahead of the time that has passed, and how long it is not relied on after it went further, in milliseconds: one day. */
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Makes what says of the time now, epoch milliseconds, whether the clock went ahead by more than a day within the last day: it may be wrong, or the machine slept. Nothing
 * is removed for its age then. A clock that was ahead when it is first asked can not be told from a right one.
 */
export const createClockJumps = (): ((now: number) => boolean) => {
  let aheadOfTimer = Number.POSITIVE_INFINITY;
  let putOffUntil = Number.NEGATIVE_INFINITY;
  return (now) => {
    const timer = performance.now();
    if (now - timer - aheadOfTimer > DAY_MS) putOffUntil = timer + DAY_MS;
    aheadOfTimer = now - timer;
    return timer < putOffUntil;
  };
};
