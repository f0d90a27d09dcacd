import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';
import { migrate, NEWEST_VERSION, OLDEST_VERSION } from './migrate.ts';
import { inSqlite } from './run-statements.ts';
import { isLocked, startError } from './storage-errors.ts';

export const DATABASE_FILE = 'tripact.db';

const LOCK_FILE = 'tripact.lock';

/**
 * How long a second process waits for the lock on a data folder before it refuses to start, in milliseconds (SPEC 7).
 */
const LOCK_WAIT_MS = 5_000;

/**
 * How long the service blocks for another program's lock on the database, in milliseconds: a command writes for a few.
 */
const BUSY_MS = 250;

/** Size of the page cache in KiB, negative in SQLite's notation: enough for the working set of many sessions. */
const CACHE_KIB = 16_384;

/** The schema's version. Those from `OLDEST_VERSION` on are migrated. */
export const VERSION = NEWEST_VERSION;

/** Tripact's id in the header of its databases. */
const APPLICATION_ID = 0x54524950;

const SCHEMA = new URL('../sql/schema.sql', import.meta.url);

/** All tables, and SQLite's additions to them. */
const readSchema = (): string => `${inSqlite(readFileSync(SCHEMA, 'utf8'))}
  CREATE INDEX model_calls_of_owner ON model_calls (owner);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${VERSION};`;

export interface OpenOptions {
  dataDir: string;
  /** Largest database in bytes; default: no limit. */
  maxBytes?: number;
  /** How long to wait for another process's lock, in milliseconds. */
  lockWaitMs?: number;
}

export interface OpenDatabase {
  readonly db: Database.Database;
  close(): void;
}

const asStartError = <Result>(dataDir: string, work: () => Result): Result => {
  const umask = process.umask(0o077);
  try {
    return work();
  } catch (error) {
    throw startError(error, dataDir);
  } finally {
    process.umask(umask);
  }
};

/**
 * Creates a data folder that only this user can read, and holds it. `DATA_DIR_LOCKED` if another process holds it for
 * `waitMs`.
 */
export const lockDataDir = (dataDir: string, waitMs = LOCK_WAIT_MS): { close(): void } =>
  asStartError(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    chmodSync(dataDir, 0o700);
    const lock = new Database(join(dataDir, LOCK_FILE), { timeout: waitMs });
    try {
      lock.pragma('journal_mode = DELETE');
      lock.exec('BEGIN EXCLUSIVE');
      return lock;
    } catch (error) {
      lock.close();
      if (!isLocked(error)) throw error;
      throw new ServiceError(
        'DATA_DIR_LOCKED',
        'Another process uses this data folder; stop it, or set TRIPACT_DATA_DIR to another folder',
        { cause: error },
      );
    }
  });

/** Reads a file that another process may use, without changing it; `failed` turns a fault into a meaning. */
const glance = (file: string, sql: string, failed: (error: unknown) => boolean): unknown => {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
    return db.prepare(sql).pluck().get();
  } catch (error) {
    return failed(error);
  } finally {
    db?.close();
  }
};

/**
 * True while another process holds the data folder's lock: a service, or a command that changes the data. Changes
 * nothing.
 */
export const isDataDirHeld = (dataDir: string): boolean =>
  glance(join(dataDir, LOCK_FILE), 'SELECT count(*) FROM sqlite_schema', isLocked) === true;

/** True if a data folder has a database with sessions. Changes nothing. */
export const hasSessions = (dataDir: string): boolean =>
  glance(join(dataDir, DATABASE_FILE), 'SELECT 1 FROM sessions LIMIT 1', () => false) === 1;

/** Opens the database so that commits are synced to disk, and asserts that. */
const openDurably = (dataDir: string, timeout: number): Database.Database => {
  const db = new Database(join(dataDir, DATABASE_FILE), { timeout });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    const [mode, sync] = ['journal_mode', 'synchronous'].map((name) => db.pragma(name, { simple: true }));
    if (mode !== 'wal' || sync !== 2) throw new Error(`the store is not durable: journal ${mode}, synchronous ${sync}`);
    db.pragma('foreign_keys = ON');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

/**
 * The version of a database; 0 for an empty one. Throws for a newer version, and for another program's database. `name`
 * is used in messages.
 */
export const versionOf = (db: Database.Database, name: string): number => {
  const [version, id] = ['user_version', 'application_id'].map((pragma) => Number(db.pragma(pragma, { simple: true })));
  const hasTables = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
  if (version === 0 && !hasTables) return 0;
  if (version! > VERSION)
    throw new ServiceError(
      'STORE_TOO_NEW',
      `${name} has version ${version}; this Tripact supports versions up to ${VERSION}. Upgrade Tripact, or restore a backup`,
    );
  const hasSessions = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").get() !== undefined;
  const isOurs = version === VERSION && id === APPLICATION_ID;
  const isOlder = version! >= OLDEST_VERSION && version! < VERSION;
  if (hasSessions && (isOurs || isOlder)) return version!;
  throw new ServiceError(
    'STORAGE_UNAVAILABLE',
    `${name} (version ${version}) is not one that this Tripact can use; nothing was changed. Restore a backup, or set TRIPACT_DATA_DIR to another folder`,
  );
};

export const prepareSchema = (db: Database.Database, name: string): void => {
  if (versionOf(db, name) === 0) db.transaction(() => db.exec(readSchema()))();
};

/**
 * Opens the database of a data folder exclusively for this process. Throws `DATA_DIR_LOCKED` if another one holds it,
 * and `STORE_TOO_NEW`.
 */
export const openDatabase = ({ dataDir, maxBytes, lockWaitMs = LOCK_WAIT_MS }: OpenOptions): OpenDatabase => {
  const lock = lockDataDir(dataDir, lockWaitMs);
  let db: Database.Database | undefined;
  const close = (): void => {
    db?.close();
    lock.close();
  };
  return asStartError(dataDir, () => {
    try {
      const name = `The database in ${dataDir}`;
      db = openDurably(dataDir, BUSY_MS);
      const version = versionOf(db, name);
      if (version > 0 && version < VERSION) {
        db.close();
        migrate(join(dataDir, DATABASE_FILE), version);
        db = openDurably(dataDir, BUSY_MS);
      }
      prepareSchema(db, name);
      const pageBytes = Number(db.pragma('page_size', { simple: true }));
      if (maxBytes !== undefined) db.pragma(`max_page_count = ${Math.floor(maxBytes / pageBytes)}`);
      return { db, close };
    } catch (error) {
      close();
      throw error;
    }
  });
};

/**
 * Opens it for a few small writes, also beside a running service. Throws `DATA_DIR_LOCKED` if a service of another
 * version runs.
 */
export const openBeside = (dataDir: string): OpenDatabase => {
  try {
    return openDatabase({ dataDir, lockWaitMs: 0 });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') throw error;
  }
  return asStartError(dataDir, () => {
    const db = openDurably(dataDir, LOCK_WAIT_MS);
    if (versionOf(db, `The database in ${dataDir}`) === VERSION) return { db, close: () => void db.close() };
    db.close();
    throw new ServiceError(
      'DATA_DIR_LOCKED',
      'A service of another version runs on this data folder; stop it, or use the command of its version',
    );
  });
};
