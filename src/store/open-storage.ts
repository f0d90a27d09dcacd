import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { AccessStore } from '../access/port.ts';
import type { PruneOptions } from '../engine/port.ts';
import { ServiceError } from '../lib/errors.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { Fences, Homes } from './homes/port.ts';
import type { RestateSettings } from './homes/restate.ts';
import type { FileStore, RemovableSession, Store } from './port.ts';
import { createAccessStore } from './sql/access.ts';
import type { SqlDatabase } from './sql/database.ts';
import { machineNumber } from './sql/entries.ts';
import type { Dialect } from './sql/move.ts';
import { type FolderRemoval, pruneSessions } from './sql/removal.ts';
import { createFileStore } from './sql/session-files.ts';
import { createStore } from './sql/store.ts';
import { backUp, restore } from './sqlite/copies.ts';
import { createSqliteDatabase } from './sqlite/database.ts';
import { DATABASE_FILE, hasSessions, lockDataDir, openBeside, openDatabase } from './sqlite/open.ts';
import { startError } from './sqlite/storage-errors.ts';

export { exportOwner, importOwner, ownerIn } from './sql/move.ts';
export { isDataDirHeld } from './sqlite/open.ts';
export { startError } from './sqlite/storage-errors.ts';

/** True where a data folder has a database. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, DATABASE_FILE));

const DIALECT: Dialect = {
  columns: 'SELECT name FROM pragma_table_info(@table)',
  newSession: 'SELECT coalesce(max(id), 0) + 1 AS id FROM sessions',
  released: "SELECT 1 AS one FROM meta WHERE key = 'clean_shutdown' AND value = '1'",
};

/** How long the commands of an operator wait for a service that is just stopping, in milliseconds. */
const STOP_WAIT_MS = 1_000;

export interface StorageOptions {
  dataDir: string;
  /** The PostgreSQL database that keeps what is stored; null: the data folder does. */
  databaseUrl?: string | null;
  /** Where other nodes on the database reach this one; null: it is the only one. */
  nodeUrl?: string | null;
  /** The Restate that gives homes; null: the nodes do, by leases. */
  restate?: RestateSettings | null;
  /** Largest database in bytes; PostgreSQL's is its operator's affair. */
  maxBytes: number;
  /** How long to wait for another process's lock, in milliseconds; 5 s by default. */
  lockWaitMs?: number | undefined;
  log: Logger;
}

/** The store of a service, and the owners' homes where it is one of several nodes. */
export interface Storage extends Store {
  readonly homes: Homes | null;
  /** Where the sessions' files are stored; null: their folders are all that there is. */
  readonly files: FileStore | null;
  /** Commits that wait for a connection to PostgreSQL; absent: the store is SQLite. */
  readonly connectionsWaiting?: (() => number) | undefined;
}

/** Opens a PostgreSQL database, and holds the data folder as any service does: commands find the service by it. */
const openOnPostgres = async (url: string, given: StorageOptions) => {
  const { dataDir, nodeUrl = null, restate = null, lockWaitMs, log } = given;
  const missing = restate && missingPackages(['@restatedev/restate-sdk']);
  if (missing !== null) throw new ServiceError('CONFIG_INVALID', `TRIPACT_SCHEDULER=restate: ${missing}`);
  if (hasSessions(dataDir))
    throw new ServiceError(
      'CONFIG_INVALID',
      `The data folder ${dataDir} has sessions of its own, which TRIPACT_DATABASE_URL would leave aside: set TRIPACT_DATA_DIR to an empty folder, or unset TRIPACT_DATABASE_URL`,
    );
  const folder = lockDataDir(dataDir, lockWaitMs);
  let homes: (Homes & Fences) | null = null;
  try {
    const { openPostgresDatabase } = await import('./postgres/database.ts');
    if (nodeUrl !== null) {
      const { openHomes } = await import('./homes/homes.ts');
      homes = await openHomes({ url, nodeUrl, rank: machineNumber, restate, log });
    }
    const opening = homes === null ? { waitMs: lockWaitMs } : 'beside';
    const db = await openPostgresDatabase({ url, opening, fences: homes, log });
    const store = createStore(db);
    const close = async (isOrderly: boolean): Promise<void> => {
      // The database has a lock of its own.
      folder.close();
      // The end of one node says nothing of the others: each home ends for itself.
      await store.close(isOrderly && homes === null);
    };
    const files = createFileStore(db);
    return { ...store, homes, files, connectionsWaiting: db.waiting, close } satisfies Storage;
  } catch (error) {
    folder.close();
    await homes?.stop(0);
    throw error;
  }
};

/** Opens what a service stores, for this process alone. Throws `DATA_DIR_LOCKED`, `STORE_TOO_NEW`, and `STORAGE_UNAVAILABLE` for a disk at fault. */
export const openStorage = async (given: StorageOptions): Promise<Storage> => {
  if (given.databaseUrl != null) return openOnPostgres(given.databaseUrl, given);
  const { dataDir, maxBytes, lockWaitMs, log } = given;
  const opened = openDatabase({ dataDir, maxBytes, ...(lockWaitMs !== undefined && { lockWaitMs }) });
  return { ...createStore(createSqliteDatabase(opened, log)), homes: null, files: null };
};

export interface AdminParts {
  dataDir: string;
  /** Removes the folder of a session that is removed. */
  removeFolder: FolderRemoval;
  now(): number;
}

interface AdminPruneOptions extends PruneOptions {
  isDryRun: boolean;
}

/** Makes the operator's work on a data folder, for all owners. Each throws `STORE_TOO_NEW`. Opens nothing yet. */
export const createAdmin = ({ dataDir, removeFolder, now }: AdminParts) => ({
  /** The database's size on the disk. Throws `NOT_FOUND` where there is none. */
  bytes: async (): Promise<number> => {
    const found = statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false });
    if (found?.isFile() === true) return found.size;
    throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  },
  /** Removes old sessions with nothing open, and returns the space to the disk; a dry run only reads, beside a service too. Throws `DATA_DIR_LOCKED`. */
  prune: async function* ({ isDryRun, ...options }: AdminPruneOptions): AsyncGenerator<RemovableSession> {
    const opened = isDryRun ? openBeside(dataDir) : openDatabase({ dataDir, lockWaitMs: STOP_WAIT_MS });
    const db = createSqliteDatabase(opened);
    let isAnyRemoved = false;
    try {
      for await (const session of pruneSessions(db, options, isDryRun ? null : removeFolder)) {
        isAnyRemoved = !isDryRun;
        yield session;
      }
      // Gives the room of the removed sessions back, and needs as much as is left meanwhile.
      if (isAnyRemoved) opened.db.exec('VACUUM');
      if (isAnyRemoved) opened.db.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      throw startError(error, dataDir);
    } finally {
      opened.close();
    }
  },
  /** Opens the keys and quotas of a data folder, also beside a service, where changes count at once. Makes the database where there is none. */
  openAccess: async (): Promise<AccessStore & { close(): Promise<void> }> => {
    const opened = openBeside(dataDir);
    const access = createAccessStore(createSqliteDatabase(opened));
    return { ...access, close: async () => opened.close() };
  },
  /** Opens the database to export or import an owner whom nobody serves meanwhile. `DATA_DIR_LOCKED` while a service may do so. */
  openOwner: async (_owner: string): Promise<[SqlDatabase, Dialect]> => [
    createSqliteDatabase(openDatabase({ dataDir, lockWaitMs: STOP_WAIT_MS })),
    DIALECT,
  ],
  /** Copies the database into a new file, also while a service runs on it. The file appears whole and checked; it never overwrites. */
  backUp: (file: string) => backUp(dataDir, resolve(file)),
  restore: (file: string, { force }: { force: boolean }) => restore(dataDir, resolve(file), { force, now: now() }),
});

export type Admin = ReturnType<typeof createAdmin>;
