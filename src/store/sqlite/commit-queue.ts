import { isLocked } from './storage-errors.ts';

/** A write that waits for its commit, and holds its result until that is durable. */
export interface Waiting {
  write(): unknown;
  result?: unknown;
  /** Set where it was refused before it wrote anything, so that the others of its group are committed. */
  refusal?: { readonly error: unknown } | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const GROUP_MAX = 64;

/**
 * Collects the writes of one turn of the event loop for one `transact`, which makes them all durable or none; each
 * resolves then. If one fails, each is committed alone.
 */
export const createCommitQueue = (transact: (group: readonly Waiting[]) => void) => {
  const waiting: Waiting[] = [];

  const commitAll = (group: readonly Waiting[]): void => {
    try {
      transact(group);
    } catch (error) {
      if (group.length > 1 && !isLocked(error)) for (const write of group) commitAll([write]);
      else for (const { reject } of group) reject(error);
      return;
    }
    for (const { resolve, reject, result, refusal } of group)
      if (refusal === undefined) resolve(result);
      else reject(refusal.error);
  };

  const flush = (): void => {
    const group = waiting.splice(0, GROUP_MAX);
    if (waiting.length > 0) setImmediate(flush);
    commitAll(group);
  };

  return <Result>(write: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ write, resolve: resolve as Waiting['resolve'], reject });
    });
};
