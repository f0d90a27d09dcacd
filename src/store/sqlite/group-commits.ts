import type { Database } from 'better-sqlite3';
import type { Write } from '../sql/database.ts';
import { addCalls, noCalls, storeCalls } from '../sql/usage.ts';
import { createCommitQueue, type Waiting } from './commit-queue.ts';
import type { DiskHealth } from './disk-health.ts';
import type { createStatementRunner } from './run-statements.ts';
import { isOfSqlite } from './storage-errors.ts';

interface Parts {
  db: Database;
  run: ReturnType<typeof createStatementRunner>;
  health: Pick<DiskHealth, 'mend' | 'doubt'>;
  /** Throws if the files were removed or replaced. */
  assertInPlace(): void;
}

/** Commits works that are ready together in one transaction. One that fails before it wrote is refused alone. */
export class GroupCommits {
  readonly #parts: Parts;
  readonly #add: ReturnType<typeof createCommitQueue>;
  /** The running work has written something. */
  #hasWritten = false;
  /** The calls of the transaction, and those of its work that runs. */
  #calls = noCalls();
  #ownCalls = noCalls();

  constructor(parts: Parts) {
    this.#parts = parts;
    const transact = parts.db.transaction((group: readonly Waiting[]) => this.#runGroup(group));
    this.#add = createCommitQueue((group) => {
      try {
        parts.health.mend();
        transact.immediate(group);
      } catch (error) {
        parts.health.doubt(error);
        throw error;
      }
    });
  }

  commit<Result>(work: Write<Result>): Promise<Result> {
    return this.#add(() => this.#parts.run(work(this.#ownCalls)));
  }

  /** A statement of the running work has written. */
  noteWrite(): void {
    this.#hasWritten = true;
  }

  #runGroup(group: readonly Waiting[]): void {
    const { assertInPlace, run } = this.#parts;
    assertInPlace();
    this.#calls = noCalls();
    for (const each of group) this.#runOne(each);
    run(storeCalls(this.#calls));
  }

  #runOne(each: Waiting): void {
    this.#hasWritten = false;
    each.refusal = undefined;
    this.#ownCalls = noCalls();
    try {
      each.result = each.write();
      addCalls(this.#calls, this.#ownCalls);
    } catch (error) {
      if (isOfSqlite(error) || this.#hasWritten) throw error;
      each.refusal = { error };
    }
  }
}
