import type { Database } from 'better-sqlite3';
import type { Logger } from 'pino';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { isDiskFault, isLasting, isStorageError, unavailable } from './storage-errors.ts';

/**
 * Bytes of a trial write: more than a usual commit adds to the log, so that a disk without room for commits also
 * refuses it.
 */
const TRIAL_BYTES = 128 * 1_024;

interface Parts {
  db: Database;
  /** Throws if the files were removed or replaced. */
  assertInPlace(isNow?: boolean): void;
  writeTrial(value: string): void;
  log: Logger | undefined;
}

/** Whether the database can be written, by the faults of its disk. After a lasting one nothing is, until a restart. */
export class DiskHealth {
  readonly #parts: Parts;
  readonly #isWorthALine = onceAMinute();
  /** A read or write failed, and no trial has succeeded since. */
  #isBroken = false;
  #hasLastingFault = false;
  /** A sync may have failed: data written to the log may be lost, although it can still be read. */
  #isInDoubt = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The error for a caller. Faults of the disk are recorded. */
  shown(error: unknown): unknown {
    if (!isStorageError(error)) return error;
    this.#note(error);
    return unavailable(error);
  }

  /** A commit failed. If that was the disk's fault, the next one has to mend the log first. */
  doubt(error: unknown): void {
    this.#isInDoubt ||= isDiskFault(error);
  }

  /**
   * After a failed sync: copies the log into the database and starts a new log, as the next sync would not repeat the
   * failed one.
   */
  mend(): void {
    if (!this.#isInDoubt) return;
    const { db, writeTrial } = this.#parts;
    const [{ busy, log, checkpointed }] = db.pragma('wal_checkpoint(RESTART)') as [Record<string, number>];
    if (busy !== 0 || log !== checkpointed)
      throw Object.assign(new Error('another process reads the log that a disk failed to store'), {
        code: 'SQLITE_BUSY',
      });
    // Until a new log begins, the rest of the old one is applied to the database at the next start.
    writeTrial(String(Date.now()));
    this.#isInDoubt = false;
  }

  /** True while writes succeed. After a failed one, a trial decides. */
  isWritable(): boolean {
    const { assertInPlace, writeTrial } = this.#parts;
    try {
      assertInPlace(true);
      if (this.#hasLastingFault) return false;
      if (this.#isBroken) {
        this.mend();
        for (const value of [' '.repeat(TRIAL_BYTES), String(Date.now())]) writeTrial(value);
      }
      this.#isBroken = false;
      return true;
    } catch (error) {
      this.#note(error);
      return false;
    }
  }

  #note(error: unknown): void {
    const { log } = this.#parts;
    this.doubt(error);
    this.#isBroken ||= isStorageError(error);
    if (isLasting(error) && !this.#hasLastingFault) {
      this.#hasLastingFault = true;
      log?.fatal(
        { err: error },
        'the database is damaged or cannot be read, or was removed or replaced; nothing is served until a restart',
      );
    } else if (this.#isWorthALine())
      log?.error({ err: error }, 'the database cannot be written or read; requests that need it get 503 until it can');
  }
}
