/** Work of which only the newest counts, done at once after a quiet time and else when the time is over, by key. */
export interface AtMostEvery {
  /** Does the work now, or in place of what still waits under this key. */
  run(key: string, work: () => void): void;
  /** Does what still waits. */
  flush(): void;
}

/** Makes one that does a key's work at most once in so many milliseconds; keeps nothing of a key that is quiet. */
export const atMostEvery = (ms: number): AtMostEvery => {
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
    flush: () => {
      for (const { waiting, timer } of busy.values()) {
        clearTimeout(timer);
        waiting?.();
      }
      busy.clear();
    },
  };
};
