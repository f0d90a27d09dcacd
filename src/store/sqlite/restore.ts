import { randomBytes } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RestoreResult } from '../../engine/admin.ts';
import { ServiceError } from '../../lib/errors.ts';
import { checkStore, copyStore, sync } from './copy-store.ts';
import { DATABASE_FILE, lockDataDir } from './database.ts';
import { startError } from './storage-errors.ts';

/** What a database in use may consist of: itself, its write-ahead log, and that log's index. They belong together. */
const PARTS = ['', '-wal', '-shm'];

export interface RestoreOptions {
  /** Puts the backup in place of a database that is there, which is kept beside it. */
  force: boolean;
  /** Epoch milliseconds, for the name under which the old one is kept. */
  now: number;
}

/**
 * Makes a backup the database of a data folder. Checks it first, and changes nothing when it is broken or of a newer version, when
 * a service uses the folder (`DATA_DIR_LOCKED`), or when a database is there and `force` is not given. Paths are absolute.
 */
export const restore = async (
  dataDir: string,
  file: string,
  { force, now }: RestoreOptions,
): Promise<RestoreResult> => {
  checkStore(file);
  const lock = ((): { close(): void } => {
    try {
      return lockDataDir(dataDir, 0);
    } catch (error) {
      throw startError(error, dataDir);
    }
  })();
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
    sync(dataDir);
    return { ...facts, kept: there.length > 0 ? kept : null };
  } catch (error) {
    rmSync(fresh, { force: true });
    throw startError(error, dataDir);
  } finally {
    lock.close();
  }
};
