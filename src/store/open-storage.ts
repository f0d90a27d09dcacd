import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { createClockJumps } from '../engine/prune-sessions.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Admin } from './admin.ts';
import type { RemovableSession, Store } from './port.ts';
import { createAccessStore } from './sql/access.ts';
import { pruneSessions } from './sql/removal.ts';
import { createStore } from './sql/store.ts';
import { backUp, restore } from './sqlite/copies.ts';
import { createSqliteDatabase } from './sqlite/database.ts';
import { DATABASE_FILE, type OpenDatabase, openBeside, openDatabase } from './sqlite/open.ts';
import { isStorageError, startError } from './sqlite/storage-errors.ts';

export { isDataDirHeld } from './sqlite/open.ts';
export { startError } from './sqlite/storage-errors.ts';

/** True where a data folder has a database. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, DATABASE_FILE));

/** How long the commands of an operator wait for a service that is just stopping, in milliseconds. */
const STOP_WAIT_MS = 1_000;

/** Where a service stores, and whom it tells of faults. */
export interface StorageOptions {
  dataDir: string;
  /** Largest database in bytes. */
  maxBytes: number;
  /** How long to wait for another process's lock, in milliseconds; 5 s by default. */
  lockWaitMs?: number | undefined;
  log: Logger;
}

/**
 * Opens what a service stores, of which this process is the only user. Throws `DATA_DIR_LOCKED` where another one is,
 * `STORE_TOO_NEW` for a newer version's data, and `STORAGE_UNAVAILABLE` where the disk is at fault.
 */
export const openStorage = async ({ log, lockWaitMs, ...options }: StorageOptions): Promise<Store> => {
  const opened = openDatabase({ ...options, ...(lockWaitMs !== undefined && { lockWaitMs }) });
  return createStore(
    createSqliteDatabase({
      opened,
      onLastingFault: (error) =>
        log.fatal(
          { err: error },
          'the database is damaged or can not be read, or was removed or replaced; nothing is served until a restart',
        ),
      onFault: (error) =>
        log.error(
          { err: error },
          'the database can not be written or read; requests that need it get 503 until it can',
        ),
    }),
  );
};

/** What the administration of a data folder is built of. */
export interface AdminParts {
  dataDir: string;
  /** Removes what belongs to sessions outside the store once they are removed, and yields each once all of it is removed. */
  removeFolders(removed: AsyncIterable<readonly RemovableSession[]>): AsyncIterable<RemovableSession>;
  /** The current time in epoch milliseconds. */
  now(): number;
}

async function* flattened<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const batch of batches) yield* batch;
}

/** Writes a database anew without the room that removed sessions have left in it, which needs as much room again. Throws `STORAGE_UNAVAILABLE` where there is none. */
const shrink = ({ db }: OpenDatabase, sessions: number): void => {
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

/** Opens nothing until it is asked to: the administration of a data folder. */
export const createAdmin = ({ dataDir, removeFolders, now }: AdminParts): Admin => ({
  prune: async ({ isDryRun, ...options }, onRemoved) => {
    const file = join(dataDir, DATABASE_FILE);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() !== true) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
    const bytesBefore = found.size;
    const opened = isDryRun ? openBeside(dataDir) : openDatabase({ dataDir, lockWaitMs: STOP_WAIT_MS });
    let sessions = 0;
    try {
      const removed = pruneSessions(createSqliteDatabase({ opened }), options, isDryRun);
      for await (const session of isDryRun ? flattened(removed) : removeFolders(removed)) {
        sessions += 1;
        onRemoved(session);
      }
      if (!isDryRun && sessions > 0) shrink(opened, sessions);
    } catch (error) {
      throw startError(error, dataDir);
    } finally {
      opened.close();
    }
    return { sessions, bytesBefore, bytesAfter: statSync(file).size };
  },
  openAccess: async () => {
    const opened = openBeside(dataDir);
    const access = createAccessStore(createSqliteDatabase({ opened }), createClockJumps());
    return { ...access, close: async () => opened.close() };
  },
  backUp: (file) => backUp(dataDir, resolve(file)),
  restore: (file, { force }) => restore(dataDir, resolve(file), { force, now: now() }),
});
