/** Options of tests that hold a block to a limit: one is tried again twice, for a collection of the heap, which other tests filled, may fall into it. */
export const MEASURED_AGAIN = { retry: 2 };

/** The longest that one turn of the event loop keeps the processor while `work` is done, in milliseconds; waiting for others counts for nothing. */
export const longestBlock = async (work: () => Promise<unknown>): Promise<number> => {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  let isOver = false;
  const watch = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    await work();
  } finally {
    isOver = true;
  }
  await new Promise((resolve) => setImmediate(resolve));
  return longestMs;
};
