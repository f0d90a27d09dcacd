import { inNextTurn } from '../event-loop/next-turn.ts';
import { createRoundRobin } from '../event-loop/round-robin.ts';

/**
 * Longest that sessions work in one turn of the event loop, in milliseconds: requests and timers wait no longer for them. A turn's commits share one
 * transaction, so that a shorter slice splits those of 64 sessions in two.
 */
const SLICE_MS = 20;

/**
 * Shares the event loop among sessions and everything else. It gives null while the current slice lasts, and otherwise what resolves in a
 * later turn of the event loop, so that many sessions with quick effects never block it. Of those who wait owners take turns, and an owner's sessions go on in the order in which they came.
 */
export const createTimeSlices = (): ((owner?: string) => Promise<void> | null) => {
  const waiting = createRoundRobin<() => void>();
  let sliceEnd = 0;
  let isScheduled = false;

  const openNext = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    inNextTurn(() => {
      isScheduled = false;
      sliceEnd = performance.now() + SLICE_MS;
      letOn();
    });
  };

  const letOn = (): void => {
    const next = waiting.shift();
    if (next === undefined) return;
    next();
    // A tick that is asked for by a microtask comes after all microtasks, so after all that this session does without waiting.
    queueMicrotask(() => process.nextTick(letOnNext));
  };

  const letOnNext = (): void => {
    if (performance.now() < sliceEnd) letOn();
    else if (waiting.length > 0) openNext();
  };

  const nextSlice = (owner: string): Promise<void> => {
    openNext();
    return new Promise((resolve) => waiting.push(owner, resolve));
  };

  return (owner = '') => (performance.now() < sliceEnd ? null : nextSlice(owner));
};
