import type { Database } from 'better-sqlite3';
import { isLocked } from './storage-errors.ts';

interface AroundCommit {
  /** Called outside a transaction, before each. Throws where none may begin. */
  prepare(): void;
  begin(): void;
  /** Writes what the transaction's writes left to its end. */
  end(): void;
  /** The error of a transaction or of one of its writes. */
  failed(error: unknown): void;
}

/** A write that waits for its commit, and keeps what it gave until that is durable. */
interface Waiting {
  write(): unknown;
  result?: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const GROUP_MAX = 64;

/** Gathers the writes of one turn of the event loop into one fsync; each resolves once durable. Where one fails, each is committed by itself. */
export const createCommitQueue = (db: Database, around: AroundCommit) => {
  const waiting: Waiting[] = [];

  const transact = db.transaction((group: readonly Waiting[]) => {
    around.begin();
    for (const each of group) each.result = each.write();
    around.end();
  });

  const commitAll = (group: readonly Waiting[]): void => {
    try {
      around.prepare();
      transact.immediate(group);
    } catch (error) {
      around.failed(error);
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
