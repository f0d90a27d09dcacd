/**
 * Creates a queue for each key: work with the same key runs one after the other, failed or not; different keys do not
 * wait for each other. Keeps nothing for an idle key.
 */
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
