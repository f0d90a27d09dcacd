/** Runs work once all earlier work of the same key has ended, failed or not; at once where there is none. */
export type QueueByKey = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes a queue for each key: work of one key runs one after another, other keys don't wait. Keeps nothing of an idle key. */
export const queueByKey = (): QueueByKey => {
  const newest = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = newest.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    newest.set(key, own);
    return own.finally(() => {
      if (newest.get(key) === own) newest.delete(key);
    });
  };
};
