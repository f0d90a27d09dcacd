import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { StoreFacts } from '../../engine/admin.ts';
import { ServiceError } from '../../lib/errors.ts';
import { foreignSchema } from './foreign-schema.ts';
import { migrations } from './migrate.ts';

/** More pages than any database has: all are copied in one step, so a writer never makes the copy begin again. */
const ALL_PAGES = 0x7fff_ffff;

const notReadable = (file: string, why: string, cause?: unknown): ServiceError =>
  new ServiceError('INVALID_REQUEST', `${file} is not a complete Tripact database: ${why}`, { cause });

/** Opens a database to read it. What is no file is refused before: a pipe would be waited for, and nothing could end that. */
const openFile = (file: string): Database.Database => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new ServiceError('NOT_FOUND', `There is no file ${file}`);
  if (!found.isFile()) throw notReadable(file, 'it is no file');
  return new Database(file, { readonly: true });
};

/** The version of a database that is Tripact's. Runs nothing that is in it. */
const versionOf = (db: Database.Database, file: string): number => {
  const version = Number(db.pragma('user_version', { simple: true }));
  const newest = migrations().at(-1)?.version ?? 0;
  if (version > newest)
    throw new ServiceError(
      'STORE_TOO_NEW',
      `${file} is of version ${version}, this Tripact knows up to ${newest}; upgrade Tripact`,
    );
  const isOurs = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sessions'").get() !== undefined;
  if (version < 1 || !isOurs) throw notReadable(file, 'it has none of the tables');
  const foreign = foreignSchema(db, version);
  if (foreign !== null) throw notReadable(file, foreign);
  return version;
};

const factsOf = (db: Database.Database, version: number): StoreFacts => {
  const count = (from: string): number => Number(db.prepare(`SELECT count(*) FROM ${from}`).pluck().get());
  const sessions = `sessions`;
  return { version, sessions: count(sessions), tasks: count(`tasks WHERE session IN (SELECT id FROM ${sessions})`) };
};

/** Reads all of a database file and checks it. Throws `NOT_FOUND`, `STORE_TOO_NEW`, or `INVALID_REQUEST` for a broken or foreign one. */
export const checkStore = (file: string): StoreFacts => {
  try {
    const db = openFile(file);
    try {
      const version = versionOf(db, file);
      const found = String(db.pragma('integrity_check(1)', { simple: true }));
      if (found !== 'ok') throw notReadable(file, found);
      return factsOf(db, version);
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) throw notReadable(file, error.message, error);
    throw error;
  }
};

/** Waits until a file, or the names in a folder, are on the disk. */
export const sync = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/**
 * Copies a database as it is at one moment, also while a service writes to it, into the new file `to`: one file, whole,
 * checked, on the disk, and readable by this user only. Leaves nothing of it when it fails.
 */
export const copyStore = async (from: string, to: string): Promise<StoreFacts> => {
  closeSync(openSync(to, 'wx', 0o600));
  try {
    const source = openFile(from);
    try {
      await source.backup(to, { progress: () => ALL_PAGES });
    } finally {
      source.close();
    }
    const copy = new Database(to);
    // A copy in WAL mode would need files beside it.
    copy.pragma('journal_mode = DELETE');
    copy.close();
    const facts = checkStore(to);
    sync(to);
    sync(dirname(to));
    return facts;
  } catch (error) {
    for (const rest of ['', '-journal', '-wal', '-shm']) rmSync(`${to}${rest}`, { force: true });
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new ServiceError('STORAGE_UNAVAILABLE', `${from} can not be copied to ${to}: ${error.message}`, {
      cause: error,
    });
  }
};
