import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { type FilesInPlace, watchFiles } from './files-in-place.ts';
import { migrate, migrations } from './migrate.ts';
import { lockPath } from './path-lock.ts';
import { startError } from './storage-errors.ts';

/** The database's name in its data folder. */
export const DATABASE_FILE = 'tripact.db';

/** The lock's name in its data folder. */
export const LOCK_FILE = 'tripact.lock';

/** How long a second process waits for the lock on a data folder before it refuses to start, in milliseconds (SPEC 7). */
const LOCK_WAIT_MS = 5_000;

/** Prepared pages of the cache, in KiB as SQLite counts them (negative): enough for the working set of many sessions. */
const CACHE_KIB = 16_384;

export interface OpenOptions {
  dataDir: string;
  /** Largest database in pages, for tests of a full disk; none by default. */
  maxPages?: number;
  /** How long to wait for another process's lock, in milliseconds. */
  lockWaitMs?: number;
}

/** The open store and the lock that keeps every other process out of its folder. */
export interface OpenStore {
  db: Database.Database;
  /** Finds out when the database, its log or the lock was removed or replaced. */
  files: FilesInPlace;
  close(): void;
}

/**
 * Makes a data folder that only this user can read, and holds it until the lock is closed. Throws `DATA_DIR_LOCKED` when another
 * process holds it for longer than `waitMs`.
 */
export const lockDataDir = (dataDir: string, waitMs: number): { close(): void } => {
  makeFolder(dataDir);
  chmodSync(dataDir, 0o700);
  const umask = process.umask(0o077);
  let lock: Database.Database | undefined;
  let path: { close(): void } | null = null;
  const close = (): void => {
    lock?.close();
    path?.close();
  };
  try {
    const held = new Database(join(dataDir, LOCK_FILE), { timeout: waitMs });
    lock = held;
    held.pragma('journal_mode = DELETE');
    held.exec('BEGIN EXCLUSIVE');
    path = lockPath(dataDir, waitMs);
    return { close };
  } catch (error) {
    close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new ServiceError(
      'DATA_DIR_LOCKED',
      `Another process uses this data folder; stop it, or set TRIPACT_DATA_DIR to another folder`,
      { cause: error },
    );
  } finally {
    process.umask(umask);
  }
};

const assertDurable = (db: Database.Database): void => {
  const mode = db.pragma('journal_mode', { simple: true });
  const sync = db.pragma('synchronous', { simple: true });
  if (mode !== 'wal' || sync !== 2) throw new Error(`the store is not durable: journal ${mode}, synchronous ${sync}`);
};

/** Opens the database so that what is committed is on the disk. */
const openDurably = (dataDir: string): Database.Database => {
  const db = new Database(join(dataDir, DATABASE_FILE));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    assertDurable(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/**
 * Opens the store of a data folder: WAL, `synchronous=FULL` (asserted), migrated, readable by this user only. Throws
 * `DATA_DIR_LOCKED` when another process holds the folder and `STORE_TOO_NEW` for a newer version's database.
 */
export const openStore = ({ dataDir, maxPages, lockWaitMs = LOCK_WAIT_MS }: OpenOptions): OpenStore => {
  const lock = ((): { close(): void } => {
    try {
      return lockDataDir(dataDir, lockWaitMs);
    } catch (error) {
      throw startError(error, dataDir);
    }
  })();
  const umask = process.umask(0o077);
  let db: Database.Database | undefined;
  const close = (): void => {
    db?.close();
    lock.close();
  };
  try {
    db = openDurably(dataDir);
    db.pragma('foreign_keys = ON');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    migrate(db);
    // Another program may number its database like ours.
    db.prepare('SELECT 1 FROM sessions, tasks, entries LIMIT 0');
    if (maxPages !== undefined) db.pragma(`max_page_count = ${maxPages}`);
    const files = watchFiles(
      [DATABASE_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, LOCK_FILE].map((name) => join(dataDir, name)),
    );
    return { db, files, close };
  } catch (error) {
    close();
    throw startError(error, dataDir);
  } finally {
    process.umask(umask);
  }
};

/**
 * Opens the database of a data folder for a few small writes, also beside a service that runs on it, whose commits then wait for the length of
 * each. Where none runs, the database is made or brought to the newest version. Throws `STORE_TOO_NEW`, or `DATA_DIR_LOCKED` where a service
 * of an older version runs.
 */
export const openBeside = (dataDir: string): Pick<OpenStore, 'db' | 'close'> => {
  try {
    return openStore({ dataDir, lockWaitMs: 0 });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') throw error;
  }
  try {
    const db = openDurably(dataDir);
    const close = (): void => void db.close();
    // The log is moved into the database by the service, when it suits its turns.
    db.pragma('wal_autocheckpoint = 0');
    if (Number(db.pragma('user_version', { simple: true })) === migrations().at(-1)?.version) return { db, close };
    close();
  } catch (error) {
    throw startError(error, dataDir);
  }
  throw new ServiceError(
    'DATA_DIR_LOCKED',
    'A service of another version runs on this data folder; stop it, or use the command of its version',
  );
};
