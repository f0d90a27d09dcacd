import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StoreFacts } from '../../engine/admin.ts';
import { ServiceError } from '../../lib/errors.ts';
import { copyStore, sync } from './copy-store.ts';
import { DATABASE_FILE } from './database.ts';

/** The error of a file that can not be made, as one sentence. */
const fileError = (file: string, error: unknown): ServiceError => {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST')
    return new ServiceError('INVALID_REQUEST', `${file} is there already, and a backup never overwrites; name another`);
  if (code === 'ENOENT') return new ServiceError('NOT_FOUND', `There is no folder ${dirname(file)}`);
  return new ServiceError('STORAGE_UNAVAILABLE', `${file} can not be written: ${code}`, { cause: error });
};

/** Sees that the name is unused and can be written; leaves nothing under it, for who is ended meanwhile would leave an empty backup. */
const assertUnused = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    rmSync(file);
  } catch (error) {
    throw fileError(file, error);
  }
};

/** Gives a whole file its name, which two backups at once can't both have. */
const name = (fresh: string, file: string): void => {
  try {
    linkSync(fresh, file);
    rmSync(fresh);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw fileError(file, error);
    // A disk without links.
    assertUnused(file);
    renameSync(fresh, file);
  }
};

/**
 * Backs the database of a data folder up into the new file `file`, also while a service runs on it, and disturbs neither it
 * nor its turns. The file appears whole and checked. The sessions' folders are not in it. Paths are absolute.
 */
export const backUp = async (dataDir: string, file: string): Promise<StoreFacts> => {
  const database = join(dataDir, DATABASE_FILE);
  if (!existsSync(database)) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  assertUnused(file);
  const fresh = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const facts = await copyStore(database, fresh);
    name(fresh, file);
    sync(dirname(file));
    return facts;
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
};
