/** Runs work, after all earlier work of the same key has ended. */
export type OneAtATime = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes the function that lets work of one key run one after another; other keys don't wait. */
export const createOneAtATime = (): OneAtATime => {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const own = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
};
