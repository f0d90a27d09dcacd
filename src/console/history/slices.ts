import { batch } from '@preact/signals';

/**
 * Longest time that work runs before the browser may draw and take input, in milliseconds: half of a frame at 60 a
 * second.
 */
const SLICE_MS = 8;

/**
 * Lets the browser draw and take input, and continues as soon as possible. Not by a timer, as background tabs slow
 * timers down.
 */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * Creates a function to await between pieces of work. It yields to the browser if the last time was long enough ago.
 */
export const createPace = (): (() => Promise<void> | undefined) => {
  let sliceBegan = performance.now();
  const pause = async (): Promise<void> => {
    await nextTask();
    sliceBegan = performance.now();
  };
  return () => (performance.now() - sliceBegan < SLICE_MS ? undefined : pause());
};

/** True if there is more to do. */
type DoPiece = () => boolean;

const doSlice = (doPiece: DoPiece): boolean => {
  const end = performance.now() + SLICE_MS;
  while (doPiece()) if (performance.now() >= end) return true;
  return false;
};

/**
 * Does work piece by piece until none is left, yielding to the browser between slices. Signals update once a slice.
 * Throws what a piece throws.
 */
export const inSlices = async (doPiece: DoPiece): Promise<void> => {
  while (batch(() => doSlice(doPiece))) await nextTask();
};
