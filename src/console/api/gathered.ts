/** Shortest time between two loads, in milliseconds: one step of a task makes several changes. */
const GATHER_MS = 80;

/** How many times longer than the last load the next one waits, so that a quick stream of changes takes a small part of page and service. */
const PAUSE_FACTOR = 3;

/** Loads something again after changes, however many there are. */
export interface Gathered {
  /** Something changed: it is loaded soon, and once for all changes until then. */
  changed(): void;
  stop(): void;
}

/** Makes the loads of changes: never two at a time, and none is given up for a newer one, so that what changes all the time is seen to change. */
export const createGathered = (load: () => Promise<unknown>): Gathered => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let isStale = false;
  let isStopped = false;
  let pause = GATHER_MS;
  const run = async (): Promise<void> => {
    timer = undefined;
    isLoading = true;
    isStale = false;
    const began = performance.now();
    try {
      await load();
    } finally {
      isLoading = false;
      pause = Math.max(GATHER_MS, PAUSE_FACTOR * (performance.now() - began));
      if (isStale) changed();
    }
  };
  const changed = (): void => {
    isStale = true;
    if (isLoading || isStopped) return;
    timer ??= setTimeout(() => void run(), pause);
  };
  return {
    changed,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};
