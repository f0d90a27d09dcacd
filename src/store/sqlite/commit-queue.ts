import { isLocked } from './storage-errors.ts';

/** A write that waits for its commit, and keeps what it gave until that is durable. */
export interface Waiting {
  write(): unknown;
  result?: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const GROUP_MAX = 64;

/** Gathers the writes of one turn of the event loop for one `transact`, which makes them all durable or none; each resolves then. Where one fails, each is committed by itself. */
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
    for (const { resolve, result } of group) resolve(result);
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
