import type { Database } from 'better-sqlite3';

/** One session's writes for the next commit; throws to take them back. */
type Write = () => void;

/** Gathers the writes of sessions that are ready together into one transaction, and so into one fsync. */
export interface CommitQueue {
  /** Resolves once the write is durable; rejects when it alone, or the whole commit, could not be stored. */
  commit(write: Write): Promise<void>;
}

/** What is done around each transaction. */
export interface AroundCommit {
  /** Throws where nothing may be committed. */
  begin(): void;
  /** Writes what the transaction's writes left to its end. */
  end(): void;
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
  const run = db.transaction((writes: Write[]) => {
    around.begin();
    for (const write of writes) write();
    around.end();
  });
  let waiting: { write: Write; resolve: () => void; reject: (error: unknown) => void }[] = [];

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      run.immediate(group.map(({ write }) => write));
    } catch (error) {
      if (group.length === 1) return group[0]?.reject(error);
      for (const { write, resolve, reject } of group)
        try {
          run.immediate([write]);
          resolve();
        } catch (own) {
          reject(own);
        }
      return;
    }
    for (const { resolve } of group) resolve();
  };

  return {
    commit: (write) =>
      new Promise((resolve, reject) => {
        waiting.push({ write, resolve, reject });
        if (waiting.length > 1) return;
        if (isAlone()) flush();
        else setImmediate(flush);
      }),
  };
};
