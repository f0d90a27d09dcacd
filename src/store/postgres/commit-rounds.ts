/** A work that waits for its round. */
export interface Waiting<Work> {
  work: Work;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Works of one round: more of them make no statement cheaper. */
const ROUND_MAX = 256;

/** Gathers works while a round is under way, and gives all that are ready to the next one. `round` settles each of its works and never rejects. */
export const createCommitRounds = <Work>(round: (works: readonly Waiting<Work>[]) => Promise<void>) => {
  const waiting: Waiting<Work>[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) await round(waiting.splice(0, ROUND_MAX));
    isRunning = false;
  };

  return (work: Work): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // What becomes ready in the same turn of the event loop goes along.
      setImmediate(() => void run());
    });
};
