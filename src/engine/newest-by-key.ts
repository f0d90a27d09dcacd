/** The newest work of each key that has not ended yet. */
export interface NewestByKey {
  /** This is the newest work of the key; null where there is none to wait for. */
  set(key: string, work: Promise<void> | null): void;
  /** Resolves when the key's newest work has ended, at once where there is none. Never rejects. */
  ended(key: string): Promise<void>;
}

/** Keeps nothing of a key whose work has ended. */
export const newestByKey = (): NewestByKey => {
  const newest = new Map<string, Promise<void>>();
  return {
    set: (key, work) => {
      if (work === null) return;
      const own = work.then(
        () => {},
        () => {},
      );
      newest.set(key, own);
      void own.then(() => {
        if (newest.get(key) === own) newest.delete(key);
      });
    },
    ended: async (key) => newest.get(key),
  };
};
