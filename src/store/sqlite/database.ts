import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { execute } from '../../lib/queries.ts';
import { KeyTaken, StaleImage } from '../port.ts';
import type { SqlDatabase, Write } from '../sql/database.ts';
import { SET_META } from '../sql/recover.ts';
import { addCalls, type CallsToAdd, storeCalls } from '../sql/usage.ts';
import { createCommitQueue, type Waiting } from './commit-queue.ts';
import type { OpenDatabase } from './open.ts';
import { createStatementRunner } from './run-statements.ts';
import { isDiskFault, isLasting, isOfSqlite, isStorageError, isTaken, unavailable } from './storage-errors.ts';

/** How long a check of the files is valid, in milliseconds. */
const CHECKED_FOR_MS = 1_000;

/**
 * Bytes of a trial write: more than a usual commit adds to the log, so that a disk without room for commits also
 * refuses it.
 */
const TRIAL_BYTES = 128 * 1_024;

/**
 * Creates a check that throws if the open database or its log was removed or replaced, since writes would then be lost.
 */
const watchFiles = (path: string): ((isNow?: boolean) => void) => {
  const identity = (): string =>
    [path, `${path}-wal`]
      .map((each) => statSync(each, { throwIfNoEntry: false }))
      .map((found) => found && `${found.dev}:${found.ino}`)
      .join();
  const known = identity();
  let checkedAt = performance.now();
  return (isNow = false) => {
    if (!isNow && performance.now() - checkedAt < CHECKED_FOR_MS) return;
    if (identity() !== known)
      throw Object.assign(new Error(`${path} was removed or replaced while the service has it open`), {
        code: 'SQLITE_READONLY_DBMOVED',
      });
    checkedAt = performance.now();
  };
};

/** The length of the HMAC-SHA256 key that it signs with. */
const KEY_BYTES = 32;

/** Reads the signing key beside a database, or creates it. No backup contains it, and only its user can read it. */
const createSigningKey = (path: string): (() => Buffer) => {
  const file = join(dirname(path), 'signing-key');
  let key: Buffer | undefined;
  return () => {
    if (key === undefined && !existsSync(file))
      writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 });
    key ??= readFileSync(file);
    return key;
  };
};

/** Makes an SQLite database run the store's statements. After a permanent fault nothing can be written. */
export const createSqliteDatabase = ({ db, close }: OpenDatabase, log?: Logger): SqlDatabase => {
  /** The running work has written something. */
  let hasWritten = false;
  const run = createStatementRunner(db, () => {
    hasWritten = true;
  });
  const assertInPlace = watchFiles(db.name);
  const writeTrial = (value: string): void => run(execute(SET_META, { key: 'written_at', value }));
  const marks = db.prepare<[string]>('SELECT 1 FROM meta WHERE key = ?');
  const marked = new Set<string>();
  const last = db.prepare('SELECT max(id) FROM sessions').pluck().get() as number | null;
  const isWorthALine = onceAMinute();
  let lastSessionId = last ?? 0;
  let isBroken = false;
  let hasLastingFault = false;
  /** A sync may have failed: data written to the log may be lost, although it can still be read. */
  let isInDoubt = false;
  /** The calls of the transaction, and those of its work that runs. */
  let calls: CallsToAdd = new Map();
  let ownCalls: CallsToAdd = new Map();

  const note = (error: unknown): void => {
    isInDoubt ||= isDiskFault(error);
    isBroken ||= isStorageError(error);
    if (isLasting(error) && !hasLastingFault) {
      hasLastingFault = true;
      log?.fatal(
        { err: error },
        'the database is damaged or cannot be read, or was removed or replaced; nothing is served until a restart',
      );
    } else if (isWorthALine())
      log?.error({ err: error }, 'the database cannot be written or read; requests that need it get 503 until it can');
  };

  /** The error for a caller. Faults of the disk are recorded. */
  const shown = (error: unknown): unknown => {
    if (!isStorageError(error)) return error;
    note(error);
    return unavailable(error);
  };

  /**
   * After a failed sync: copies the log into the database and starts a new log, as the next sync would not repeat the
   * failed one.
   */
  const mend = (): void => {
    if (!isInDoubt) return;
    const [{ busy, log, checkpointed }] = db.pragma('wal_checkpoint(RESTART)') as [Record<string, number>];
    if (busy !== 0 || log !== checkpointed)
      throw Object.assign(new Error('another process reads the log that a disk failed to store'), {
        code: 'SQLITE_BUSY',
      });
    // Until a new log begins, the rest of the old one is applied to the database at the next start.
    writeTrial(String(Date.now()));
    isInDoubt = false;
  };

  const runOne = (each: Waiting): void => {
    hasWritten = false;
    each.refusal = undefined;
    ownCalls = new Map();
    try {
      each.result = each.write();
      addCalls(calls, ownCalls);
    } catch (error) {
      if (isOfSqlite(error) || hasWritten) throw error;
      each.refusal = { error };
    }
  };
  const transact = db.transaction((group: readonly Waiting[]) => {
    assertInPlace();
    calls = new Map();
    for (const each of group) runOne(each);
    run(storeCalls(calls));
  });
  const commit = createCommitQueue((group) => {
    try {
      mend();
      transact.immediate(group);
    } catch (error) {
      isInDoubt ||= isDiskFault(error);
      throw error;
    }
  });
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new ServiceError('SHUTTING_DOWN', 'The service has stopped; ask again after its restart');
  };

  const write = async <Result>(_owner: string | null, work: Write<Result>): Promise<Result> => {
    assertOpen();
    try {
      return await commit(() => run(work(ownCalls)));
    } catch (error) {
      if (isTaken(error, 'entries.seq')) throw new StaleImage('its entry is there', { cause: error });
      if (isTaken(error, 'turns.idempotency_key')) throw new KeyTaken('another turn has its key', { cause: error });
      throw shown(error);
    }
  };

  return {
    read: async (work) => {
      assertOpen();
      try {
        assertInPlace();
        return run(work());
      } catch (error) {
        throw shown(error);
      }
    },
    write,
    commit: write,
    newSessionId: async () => {
      lastSessionId += 1;
      return lastSessionId;
    },
    signingKey: createSigningKey(db.name),
    isMarked: (key) => {
      try {
        if (!marked.has(key) && marks.get(key) !== undefined) marked.add(key);
        return marked.has(key);
      } catch {
        return true;
      }
    },
    marked: (key) => void marked.add(key),
    size: async () => {
      assertOpen();
      const [page, count, free, max] = ['page_size', 'page_count', 'freelist_count', 'max_page_count'].map((name) =>
        Number(db.pragma(name, { simple: true })),
      ) as [number, number, number, number];
      return { used: (count - free) * page, max: max * page };
    },
    isWritable: async () => {
      try {
        assertInPlace(true);
        if (hasLastingFault) return false;
        if (isBroken) {
          mend();
          for (const value of [' '.repeat(TRIAL_BYTES), String(Date.now())]) writeTrial(value);
        }
        isBroken = false;
        return true;
      } catch (error) {
        note(error);
        return false;
      }
    },
    close: async () => {
      isClosed = true;
      close();
    },
  };
};
