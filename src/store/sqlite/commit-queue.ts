import type { Database } from 'better-sqlite3';

/** Gathers the writes that come in one turn of the event loop into one transaction, and so into one fsync. */
export interface CommitQueue {
  /** Resolves with what the write gave once it is durable. A write that throws takes back itself alone, and one may run again. */
  commit<Result>(write: () => Result): Promise<Result>;
}

/** Work around each transaction. */
export interface AroundCommit {
  /** Called outside a transaction, before each. Throws where none may begin. */
  prepare(): void;
  /** Throws where nothing may be committed. */
  begin(): void;
  /** Writes what the transaction's writes left to its end. */
  end(): void;
  /** The error of a transaction or of one of its writes. */
  failed(error: unknown): void;
}

/** A write that waits for its commit, and keeps what it gave until that is durable. */
interface Waiting {
  write(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** Most writes of one transaction. */
const GROUP_MAX = 64;

/** Most promises resolved in one turn of the event loop: each lets a session go on, up to its next model call. */
const RESOLVED_MAX = 16;

/** How long SQLite waits in one turn of the event loop for a lock that another process holds, and until it is tried again, in milliseconds. */
export const LOCK_WAIT_MS = 5;
const LOCK_RETRY_MS = 25;

/** Tries after which commits that met such a lock are rejected: some 5 seconds. */
const LOCK_TRIES_MAX = 160;

const isLockedOut = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');

/** Makes the queue. Where one write of a group fails, each of the group is committed by itself. */
export const createCommitQueue = (db: Database, around: Partial<AroundCommit> = {}): CommitQueue => {
  const waiting: Waiting[] = [];
  /** How many of those that wait are committed each by itself. */
  let singles = 0;
  /** Tries in a row that met the lock of another process. */
  let lockTries = 0;
  let isAtWork = false;

  const transact = db.transaction((group: readonly Waiting[]) => {
    around.begin?.();
    for (const { write } of group) write();
    around.end?.();
  });

  const failed = (group: readonly Waiting[], error: unknown): void => {
    around.failed?.(error);
    if (isLockedOut(error)) {
      waiting.unshift(...group);
      lockTries += 1;
      if (lockTries < LOCK_TRIES_MAX) return;
      for (const { reject } of waiting.splice(0)) reject(error);
      lockTries = 0;
    } else if (group.length === 1) {
      singles = Math.max(singles - 1, 0);
      group[0]!.reject(error);
    } else {
      waiting.unshift(...group);
      singles = group.length;
    }
  };

  const flush = (): void => {
    const group = waiting.splice(0, singles > 0 ? 1 : GROUP_MAX);
    try {
      around.prepare?.();
      transact.immediate(group);
      singles = Math.max(singles - 1, 0);
      lockTries = 0;
    } catch (error) {
      failed(group, error);
      return goOn();
    }
    resolveAll(group);
  };

  const resolveAll = (stored: Waiting[]): void => {
    for (const { resolve } of stored.splice(0, RESOLVED_MAX)) resolve();
    if (stored.length > 0) setImmediate(resolveAll, stored);
    else goOn();
  };

  const goOn = (): void => {
    isAtWork = waiting.length > 0;
    if (isAtWork) schedule();
  };

  const schedule = (): void => {
    if (lockTries > 0) setTimeout(flush, LOCK_RETRY_MS);
    else setImmediate(flush);
  };

  return {
    commit: <Result>(write: () => Result) =>
      new Promise<Result>((resolve, reject) => {
        let result: Result;
        const writing = (): void => {
          result = write();
        };
        waiting.push({ write: writing, resolve: () => resolve(result), reject });
        if (!isAtWork) schedule();
        isAtWork = true;
      }),
  };
};
