import type { Database } from 'better-sqlite3';

/** Gathers the writes of sessions that are ready together into one transaction, and so into one fsync. */
export interface CommitQueue {
  /**
   * Resolves with what the write gave once it is durable; rejects when it alone, or the whole commit, could not be stored. A write is one session's,
   * and throws to take it back.
   */
  commit<Result>(write: () => Result): Promise<Result>;
}

/** What is done around each transaction. */
export interface AroundCommit {
  /** Throws where nothing may be committed. */
  begin(): void;
  /** Writes what the transaction's writes left to its end. */
  end(): void;
}

/** A write that waits for its commit, and keeps what it gave until that is durable. */
interface Waiting {
  write(): void;
  resolve(): void;
  reject(error: unknown): void;
}

const NOTHING_AROUND: AroundCommit = { begin: () => {}, end: () => {} };

/**
 * Makes the queue. While `isAlone()` a write is committed at once; else at the end of the turn of the event loop with all
 * that came meanwhile. No promise resolves before its write is durable. When one write of a group fails, each is committed by itself, so
 * a write must be able to run again: it starts from what was last committed.
 */
export const createCommitQueue = (
  db: Database,
  isAlone: () => boolean,
  around: AroundCommit = NOTHING_AROUND,
): CommitQueue => {
  const run = db.transaction((group: Waiting[]) => {
    around.begin();
    for (const { write } of group) write();
    around.end();
  });
  let waiting: Waiting[] = [];

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      run.immediate(group);
    } catch (error) {
      if (group.length === 1) return group[0]?.reject(error);
      for (const each of group)
        try {
          run.immediate([each]);
          each.resolve();
        } catch (own) {
          each.reject(own);
        }
      return;
    }
    for (const each of group) each.resolve();
  };

  return {
    commit: <Result>(write: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        let result: Result;
        waiting.push({
          write: () => {
            result = write();
          },
          resolve: () => resolve(result),
          reject,
        });
        if (waiting.length > 1) return;
        if (isAlone()) flush();
        else setImmediate(flush);
      }),
  };
};
