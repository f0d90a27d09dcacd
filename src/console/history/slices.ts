import { batch } from '@preact/signals';

/** Longest that work goes on before the browser may draw and take input, in milliseconds: half of a frame at 60 a second. */
const SLICE_MS = 8;

/** Lets the browser draw and take input, and goes on as soon as it can. Not by a timer: background tabs slow timers down. */
const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Makes a function to be awaited between pieces of work: it lets the browser do its own where the last time is long enough ago. */
export const createPace = (): (() => Promise<void> | undefined) => {
  let sliceBegan = performance.now();
  const pause = async (): Promise<void> => {
    await nextTask();
    sliceBegan = performance.now();
  };
  return () => (performance.now() - sliceBegan < SLICE_MS ? undefined : pause());
};

/** True where there is more to do. */
type DoPiece = () => boolean;

const doSlice = (doPiece: DoPiece): boolean => {
  const end = performance.now() + SLICE_MS;
  while (doPiece()) if (performance.now() >= end) return true;
  return false;
};

/**
 * Does work piece by piece until there is none left, and lets the browser do its own in between; what signals say of it changes once a
 * slice. Throws what a piece throws.
 */
export const inSlices = async (doPiece: DoPiece): Promise<void> => {
  while (batch(() => doSlice(doPiece))) await nextTask();
};
