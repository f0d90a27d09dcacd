import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LOCK_FILE } from './database.ts';

/**
 * True while another process holds the data folder's lock: a service, or a command that changes the data. It waits for nothing, takes nothing
 * and changes nothing. The system frees the lock of a process that was killed, so what that one left behind does not count.
 */
export const isDataDirHeld = (dataDir: string): boolean => {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(join(dataDir, LOCK_FILE), { readonly: true, fileMustExist: true, timeout: 0 });
    lock.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY';
  } finally {
    lock?.close();
  }
};
