/** Throttles work by key: runs at once when the key is idle, otherwise runs the newest work at the end of the interval. */
export interface KeyedThrottle {
  /** Runs the work now, or replaces the pending work of this key. */
  run(key: string, work: () => void): void;
  /** Drops the pending work of this key. */
  drop(key: string): void;
  /** Runs all pending work now. */
  flush(): void;
}

/** Creates a throttle that runs the work of a key at most once in `ms` milliseconds; keeps no entry for an idle key. */
export const throttleByKey = (ms: number): KeyedThrottle => {
  const busy = new Map<string, { waiting: (() => void) | null; timer: NodeJS.Timeout }>();

  const later = (key: string): void => {
    const { waiting } = busy.get(key)!;
    busy.delete(key);
    if (waiting !== null) now(key, waiting);
  };
  const now = (key: string, work: () => void): void => {
    busy.set(key, { waiting: null, timer: setTimeout(later, ms, key) });
    work();
  };

  return {
    run: (key, work) => {
      const own = busy.get(key);
      if (own === undefined) now(key, work);
      else own.waiting = work;
    },
    drop: (key) => {
      const own = busy.get(key);
      if (own !== undefined) own.waiting = null;
    },
    flush: () => {
      for (const { waiting, timer } of busy.values()) {
        clearTimeout(timer);
        waiting?.();
      }
      busy.clear();
    },
  };
};
