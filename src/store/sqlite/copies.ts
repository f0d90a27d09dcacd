import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';
import { DATABASE_FILE, lockDataDir, versionOf } from './open.ts';
import { startError } from './storage-errors.ts';
import { syncPath } from './sync-path.ts';

/** A summary of a stored database, to identify a copy by. */
interface StoreFacts {
  /** Of its schema; this Tripact may know newer ones. */
  version: number;
  sessions: number;
  tasks: number;
}

/** More pages than any database has: all are copied in one step, so a writer never makes the copy begin again. */
const ALL_PAGES = 0x7fff_ffff;

/** Files of a database in use: itself, its write-ahead log, and that log's index. They belong together. */
const PARTS = ['', '-wal', '-shm'];

const notReadable = (file: string, why: string, cause?: unknown): ServiceError =>
  new ServiceError('INVALID_REQUEST', `${file} is not a complete Tripact database: ${why}`, { cause });

/** Opens a database to read it. What is no file is refused before: a pipe would be waited for, and nothing could end that. */
const openFile = (file: string): Database.Database => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new ServiceError('NOT_FOUND', `There is no file ${file}`);
  if (!found.isFile()) throw notReadable(file, 'it is no file');
  return new Database(file, { readonly: true });
};

/** Reads all of a database file and checks it. Throws `NOT_FOUND`, `STORE_TOO_NEW`, or `INVALID_REQUEST` for a broken or foreign one. */
const checkStore = (file: string): StoreFacts => {
  let db: Database.Database | undefined;
  try {
    db = openFile(file);
    const version = versionOf(db, file);
    if (version === 0) throw notReadable(file, 'it has none of the tables');
    const found = String(db.pragma('integrity_check(1)', { simple: true }));
    if (found !== 'ok') throw notReadable(file, found);
    const [sessions, tasks] = ['sessions', 'tasks'].map((table) =>
      Number(db?.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
    );
    return { version, sessions: sessions!, tasks: tasks! };
  } catch (error) {
    const isForeign = error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
    throw isForeign || error instanceof Database.SqliteError
      ? notReadable(file, (error as Error).message, error)
      : error;
  } finally {
    db?.close();
  }
};

/** Copies a database as it is at one moment into the new file `to`, whole, checked and on the disk; of a copy that fails nothing stays. */
const copyStore = async (from: string, to: string): Promise<StoreFacts> => {
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
    syncPath(to);
    syncPath(dirname(to));
    return facts;
  } catch (error) {
    for (const rest of [...PARTS, '-journal']) rmSync(`${to}${rest}`, { force: true });
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new ServiceError('STORAGE_UNAVAILABLE', `${from} can not be copied to ${to}: ${error.message}`, {
      cause: error,
    });
  }
};

/** The error of a file that can not be made, as one sentence. */
const fileError = (file: string, error: unknown): unknown => {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof ServiceError || code === undefined) return error;
  if (code === 'EEXIST')
    return new ServiceError('INVALID_REQUEST', `${file} is there already, and a backup never overwrites; name another`);
  if (code === 'ENOENT') return new ServiceError('NOT_FOUND', `There is no folder ${dirname(file)}`);
  return new ServiceError('STORAGE_UNAVAILABLE', `${file} can not be written: ${code}`, { cause: error });
};

/** Gives a whole file its name, which two backups at once can't both have. */
const nameFile = (fresh: string, file: string): void => {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // A disk without links.
    copyFileSync(fresh, file, constants.COPYFILE_EXCL);
  }
};

/** Backs a data folder's database up into the new file `file`, also beside a service. Paths are absolute. */
export const backUp = async (dataDir: string, file: string): Promise<StoreFacts> => {
  const database = join(dataDir, DATABASE_FILE);
  if (!existsSync(database)) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  const fresh = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    if (existsSync(file)) throw Object.assign(new Error(`${file} exists`), { code: 'EEXIST' });
    const facts = await copyStore(database, fresh);
    nameFile(fresh, file);
    syncPath(dirname(file));
    return facts;
  } catch (error) {
    throw fileError(file, error);
  } finally {
    rmSync(fresh, { force: true });
  }
};

/**
 * Makes a backup the database of a data folder. Checks it first, and changes nothing when it is broken or of a newer version, when
 * a service uses the folder (`DATA_DIR_LOCKED`), or when a database is there and `force` is not given; with it, the old one is kept beside it, under a name with
 * the time `now`, epoch milliseconds: `kept`. Paths are absolute.
 */
export const restore = async (
  dataDir: string,
  file: string,
  { force, now }: { force: boolean; now: number },
): Promise<StoreFacts & { kept: string | null }> => {
  checkStore(file);
  const lock = lockDataDir(dataDir, 0);
  const database = join(dataDir, DATABASE_FILE);
  const fresh = join(dataDir, `.${randomBytes(6).toString('hex')}.restore`);
  try {
    const there = PARTS.filter((part) => existsSync(`${database}${part}`));
    if (there.length > 0 && !force)
      throw new ServiceError(
        'INVALID_REQUEST',
        `There is a database in ${dataDir} already. Restore into another folder, or add --force: the old one is then kept beside it`,
      );
    const facts = await copyStore(file, fresh);
    const kept = `${database}.replaced-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}`;
    for (const part of there) renameSync(`${database}${part}`, `${kept}${part}`);
    renameSync(fresh, database);
    syncPath(dataDir);
    return { ...facts, kept: there.length > 0 ? kept : null };
  } catch (error) {
    rmSync(fresh, { force: true });
    throw startError(error, dataDir);
  } finally {
    lock.close();
  }
};
