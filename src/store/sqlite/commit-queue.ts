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
  /** Called outside a transaction, before each. Throws where none may begin. */
  prepare(): void;
  /** Throws where nothing may be committed. */
  begin(): void;
  /** Writes what the transaction's writes left to its end. */
  end(): void;
  /** After one that was committed. Gives what is to be done in a turn of the event loop without a commit; null: nothing. */
  committed(): (() => void) | null;
  /** What a transaction or one of its writes threw. */
  failed(error: unknown): void;
}

/** A write that waits for its commit, and keeps what it gave until that is durable. */
interface Waiting {
  write(): void;
  resolve(): void;
  reject(error: unknown): void;
}

/** Longest that writes are made in one turn of the event loop, in milliseconds: each may answer questions of owner data. Those of 64 sessions take less. */
const SLICE_MS = 10;

/** Sessions at work from which on commits are gathered longer: each turn of the event loop would have one of its own for a few of them. */
const CROWD = 128;

/** How long the commits of so many are gathered, in milliseconds. Fewer transactions write fewer pages: it saves about 5 % of the service's processor time beside 1,000 models that answer. */
const GATHERED_MS = 2;

/** How long a commit waits in one turn of the event loop for a lock that another process holds, and until it is tried again, in milliseconds. */
export const LOCK_WAIT_MS = 5;
const LOCK_RETRY_MS = 25;

/** How long commits wait in all for such a lock before they are rejected, in milliseconds; as long as it is held after that, each is tried once. */
const LOCKED_MS_MAX = 5_000;

const isLockedOut = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');

const NOTHING_AROUND: AroundCommit = {
  prepare: () => {},
  begin: () => {},
  end: () => {},
  committed: () => null,
  failed: () => {},
};

/**
 * Makes the queue. While at most one session is `busy()` a write is committed at once; else at the end of the turn of the event loop, or of very many
 * sessions a moment later, with all that came meanwhile, or as many of them as fit into a slice and a transaction: the others follow in later ones. After a commit that took a whole slice, who waited for it goes on in the next turn. No promise resolves before its write is
 * durable. When one write of a group fails, each is committed by itself, so a write must be able to run again: it starts from what was last committed.
 */
export const createCommitQueue = (db: Database, busy: () => number, parts: Partial<AroundCommit> = {}): CommitQueue => {
  const around = { ...NOTHING_AROUND, ...parts };
  const waiting: Waiting[] = [];
  /** How many of those that wait were in the newest transaction. */
  let tried = 0;
  /** How many of those that wait are committed each by itself, as a transaction of them failed. */
  let singles = 0;
  /** Since when another process holds the database's lock; null where none does. */
  let lockedSince: number | null = null;
  /** When a commit met that lock last. */
  let lockMetAt = 0;
  /** Commits are made, or are going to be. */
  let isAtWork = false;
  /** What is to be done before the next commit, in a turn without one. */
  let between: (() => void) | null = null;
  const run = db.transaction((group: readonly Waiting[], until: number) => {
    around.begin();
    for (const { write } of group) {
      tried += 1;
      write();
      if (performance.now() >= until) break;
    }
    around.end();
  });

  const lockedOut = (error: unknown): void => {
    const now = performance.now();
    // Where nothing was committed for so long it is another lock.
    if (lockedSince === null || now - lockMetAt >= LOCKED_MS_MAX) lockedSince = now;
    lockMetAt = now;
    if (now - lockedSince < LOCKED_MS_MAX) return;
    for (const { reject } of waiting.splice(0)) reject(error);
    singles = 0;
  };

  /** Gives those whose writes are durable now. */
  const commitNext = (until: number): Waiting[] => {
    const isSingle = singles > 0 || waiting.length === 1;
    tried = 0;
    try {
      around.prepare();
      run.immediate(isSingle ? waiting.slice(0, 1) : waiting, until);
    } catch (error) {
      around.failed(error);
      if (isLockedOut(error)) {
        lockedOut(error);
        return [];
      }
      lockedSince = null;
      if (isSingle) waiting.shift()?.reject(error);
      singles = isSingle ? Math.max(singles - 1, 0) : Math.max(tried, 1);
      return [];
    }
    singles = Math.max(singles - 1, 0);
    lockedSince = null;
    between = around.committed() ?? between;
    return waiting.splice(0, tried);
  };

  const goOnWithOthers = (): void => {
    isAtWork = waiting.length > 0 || between !== null;
    if (between !== null) setImmediate(doBetween);
    else if (isAtWork && lockedSince !== null) setTimeout(flush, LOCK_RETRY_MS);
    else if (isAtWork) setImmediate(flush);
  };

  const doBetween = (): void => {
    between?.();
    between = null;
    goOnWithOthers();
  };

  const flush = (): void => {
    const until = performance.now() + SLICE_MS;
    const durable: Waiting[] = [];
    do durable.push(...commitNext(until));
    while (waiting.length > 0 && between === null && lockedSince === null && performance.now() < until);
    const goOn = (): void => {
      for (const { resolve } of durable) resolve();
      goOnWithOthers();
    };
    // What goes on may take as long as the commit of so long a plan did.
    if (performance.now() < until) goOn();
    else setImmediate(goOn);
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
        if (isAtWork) return;
        isAtWork = true;
        if (busy() <= 1) flush();
        else if (busy() < CROWD) setImmediate(flush);
        else setTimeout(flush, GATHERED_MS);
      }),
  };
};
