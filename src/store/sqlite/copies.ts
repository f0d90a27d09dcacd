import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';
import type { StoreFacts } from '../port.ts';
import { DATABASE_FILE, lockDataDir, versionOf } from './open.ts';
import { isDamaged } from './storage-errors.ts';
import { syncPath } from './sync-path.ts';

/** Files of a database in use: the database, its write-ahead log, and that log's index. They belong together. */
const PARTS = ['', '-wal', '-shm'];

const notReadable = (file: string, why: string, cause?: unknown): ServiceError =>
  new ServiceError('INVALID_REQUEST', `${file} is not a complete Tripact database: ${why}`, { cause });

/** Reads a whole database and checks it. */
const checkStore = (db: Database.Database, file: string): StoreFacts => {
  const version = versionOf(db, file);
  if (version === 0) throw notReadable(file, 'its tables are missing');
  const found = String(db.pragma('integrity_check(1)', { simple: true }));
  if (found !== 'ok') throw notReadable(file, found);
  const count = (table: string): number => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get()!;
  return { version, sessions: count('sessions'), tasks: count('tasks') };
};

/** Checks a database and copies its state at one moment into the new file `to`. A failed copy leaves nothing. */
const copyStore = (from: string, to: string): StoreFacts => {
  let db: Database.Database | undefined;
  try {
    closeSync(openSync(to, 'wx', 0o600));
    db = new Database(from, { readonly: true });
    const facts = checkStore(db, from);
    db.prepare('VACUUM INTO ?').run(to);
    syncPath(to);
    return facts;
  } catch (error) {
    rmSync(to, { force: true });
    const { message } = error as Error;
    if (isDamaged(error) || (error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE'))
      throw notReadable(from, message, error);
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('STORAGE_UNAVAILABLE', `${from} cannot be copied to ${to}: ${message}`, { cause: error });
  } finally {
    db?.close();
  }
};

/** Gives a complete copy its name. */
const nameCopy = (fresh: string, file: string): void => {
  renameSync(fresh, file);
  syncPath(dirname(file));
};

/** Backs up a data folder's database into the new file `file`, also beside a service. Paths are absolute. */
export const backUp = async (dataDir: string, file: string): Promise<StoreFacts> => {
  const database = join(dataDir, DATABASE_FILE);
  if (!existsSync(database)) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  if (!existsSync(dirname(file))) throw new ServiceError('NOT_FOUND', `There is no folder ${dirname(file)}`);
  if (existsSync(file))
    throw new ServiceError(
      'INVALID_REQUEST',
      `${file} already exists, and a backup never overwrites a file; choose another name`,
    );
  const fresh = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  const facts = copyStore(database, fresh);
  nameCopy(fresh, file);
  return facts;
};

/**
 * Makes a backup the database of a data folder that no service uses. With `force`, an existing database is kept beside
 * it under `kept`; otherwise it refuses.
 */
export const restore = async (
  dataDir: string,
  file: string,
  { force, now }: { force: boolean; now: number },
): Promise<StoreFacts & { kept: string | null }> => {
  if (!existsSync(file)) throw new ServiceError('NOT_FOUND', `There is no file ${file}`);
  const lock = lockDataDir(dataDir, 0);
  try {
    const database = join(dataDir, DATABASE_FILE);
    const there = PARTS.filter((part) => existsSync(`${database}${part}`));
    if (there.length > 0 && !force)
      throw new ServiceError(
        'INVALID_REQUEST',
        `A database already exists in ${dataDir}. Restore into another folder, or add --force, which keeps the old one beside it`,
      );
    const fresh = join(dataDir, `.${randomBytes(6).toString('hex')}.restore`);
    const facts = copyStore(file, fresh);
    const kept = `${database}.replaced-${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}`;
    for (const part of there) renameSync(`${database}${part}`, `${kept}${part}`);
    nameCopy(fresh, database);
    return { ...facts, kept: there.length > 0 ? kept : null };
  } finally {
    lock.close();
  }
};
