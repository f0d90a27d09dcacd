import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Admin } from '../../engine/admin.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { RemovableSession } from '../port.ts';
import { createAccessStore } from './access-store.ts';
import { backUp } from './backup.ts';
import { DATABASE_FILE, type OpenStore, openBeside, openStore } from './database.ts';
import { pruneSessions } from './prune.ts';
import { restore } from './restore.ts';
import { isStorageError, startError } from './storage-errors.ts';
import { createUsageDays } from './usage-days.ts';

/** Time to wait for a service that is just stopping, in milliseconds. */
const LOCK_WAIT_MS = 1_000;

/** What the administration of a data folder is built of. */
export interface SqliteAdminParts {
  dataDir: string;
  /** Removes what belongs to sessions outside the database once they are removed, and yields each once all of it is removed. */
  removeFolders(removed: AsyncIterable<readonly RemovableSession[]>): AsyncIterable<RemovableSession>;
  /** The current time in epoch milliseconds. */
  now(): number;
}

async function* flattened<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const batch of batches) yield* batch;
}

const openToRead = (file: string): Pick<OpenStore, 'db' | 'close'> => {
  const db = new Database(file, { readonly: true });
  return { db, close: () => void db.close() };
};

/** Writes a database anew without the room that removed sessions have left in it, which needs as much room again. Throws `STORAGE_UNAVAILABLE` where there is none. */
const shrink = (db: Database.Database, sessions: number): void => {
  try {
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isStorageError(error)) throw error;
    throw new ServiceError(
      'STORAGE_UNAVAILABLE',
      `Sessions removed: ${sessions}; the database keeps its size, for the disk has no room to write it anew (${(error as Error).message}): what comes next uses the room in it`,
      { cause: error },
    );
  }
};

/** Opens nothing until it is asked to: the administration of a data folder that the embedded engine keeps. */
export const createSqliteAdmin = ({ dataDir, removeFolders, now }: SqliteAdminParts): Admin => ({
  prune: async ({ isDryRun, ...options }, onRemoved) => {
    const file = join(dataDir, DATABASE_FILE);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() !== true) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
    const bytesBefore = found.size;
    const { db, close } = isDryRun ? openToRead(file) : openStore({ dataDir, lockWaitMs: LOCK_WAIT_MS });
    let sessions = 0;
    try {
      const removed = pruneSessions(db, options, isDryRun);
      for await (const session of isDryRun ? flattened(removed) : removeFolders(removed)) {
        sessions += 1;
        onRemoved(session);
      }
      if (!isDryRun && sessions > 0) shrink(db, sessions);
    } catch (error) {
      throw startError(error, dataDir);
    } finally {
      close();
    }
    return { sessions, bytesBefore, bytesAfter: statSync(file).size };
  },
  openAccess: async () => {
    const { db, close } = openBeside(dataDir);
    const access = createAccessStore(db, createUsageDays(db), async (write) => db.transaction(write).immediate());
    return { ...access, close: async () => close() };
  },
  backUp: (file) => backUp(dataDir, resolve(file)),
  restore: (file, { force }) => restore(dataDir, resolve(file), { force, now: now() }),
});
