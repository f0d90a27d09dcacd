/**
 * Longest that sessions work in one turn of the event loop, in milliseconds: requests and timers wait no longer for them. A turn's commits share one
 * transaction, so that a shorter slice splits those of 64 sessions in two.
 */
const SLICE_MS = 20;

/**
 * Shares the event loop among sessions and everything else. It gives null while the current slice lasts, and otherwise what resolves in a
 * later turn of the event loop, so that many sessions with quick effects never block it.
 */
export const createTimeSlices = (): (() => Promise<void> | null) => {
  let sliceEnd = 0;
  let isScheduled = false;

  const openNext = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    // Queued before those who wait for it, so that it runs first in the next turn.
    setImmediate(() => {
      isScheduled = false;
      sliceEnd = performance.now() + SLICE_MS;
    });
  };

  const nextSlice = async (): Promise<void> => {
    while (performance.now() >= sliceEnd) {
      openNext();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return () => (performance.now() < sliceEnd ? null : nextSlice());
};
