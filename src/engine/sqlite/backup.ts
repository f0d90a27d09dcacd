import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ServiceError } from '../../errors.ts';
import type { StoreFacts } from '../admin.ts';
import { copyStore, sync } from './copy-store.ts';
import { DATABASE_FILE } from './database.ts';

/** Takes an unused name, so that two backups at once can't both have it. */
const reserve = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new ServiceError(
        'INVALID_REQUEST',
        `${file} is there already, and a backup never overwrites; name another`,
      );
    if (code === 'ENOENT') throw new ServiceError('NOT_FOUND', `There is no folder ${dirname(file)}`);
    throw new ServiceError('STORAGE_UNAVAILABLE', `${file} can not be written: ${code}`, { cause: error });
  }
};

/**
 * Backs the database of a data folder up into the new file `file`, also while a service runs on it, and disturbs neither it
 * nor its turns. The file appears whole and checked. The sessions' folders are not in it. Paths are absolute.
 */
export const backUp = async (dataDir: string, file: string): Promise<StoreFacts> => {
  const database = join(dataDir, DATABASE_FILE);
  if (!existsSync(database)) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  reserve(file);
  const fresh = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const facts = await copyStore(database, fresh);
    renameSync(fresh, file);
    sync(dirname(file));
    return facts;
  } catch (error) {
    rmSync(fresh, { force: true });
    rmSync(file, { force: true });
    throw error;
  }
};
