/** Makes a queue for each key: work of one key runs one after another, failed or not; other keys don't wait. Keeps nothing of an idle key. */
export const queueByKey = () => {
  const newest = new Map<string, Promise<unknown>>();
  return <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const before = newest.get(key);
    const own = before === undefined ? work() : before.then(work, work);
    newest.set(key, own);
    return own.finally(() => {
      if (newest.get(key) === own) newest.delete(key);
    });
  };
};
