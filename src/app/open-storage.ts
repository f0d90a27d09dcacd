import type { Logger } from 'pino';
import type { Homes } from '../cluster/port.ts';
import type { RestateSettings } from '../cluster/restate.ts';
import { ServiceError } from '../lib/errors.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { Fences, Store } from '../store/port.ts';
import { machineNumber } from '../store/sql/entries.ts';
import { createFileStore } from '../store/sql/session-files.ts';
import { createStore } from '../store/sql/store.ts';
import { createSqliteDatabase } from '../store/sqlite/database.ts';
import { hasSessions, lockDataDir, openDatabase } from '../store/sqlite/open.ts';
import type { FileStore } from '../workspace/port.ts';

export interface StorageOptions {
  dataDir: string;
  /** The PostgreSQL database that stores the data; null: the data folder does. */
  databaseUrl?: string | null;
  /** Where other nodes on the database reach this one; null: it is the only one. */
  nodeUrl?: string | null;
  /** The Restate service that assigns homes; null: the nodes do, by leases. */
  restate?: RestateSettings | null;
  /** Largest database in bytes. PostgreSQL's size is up to its operator. */
  maxBytes: number;
  /** How long to wait for another process's lock, in milliseconds; default 5 s. */
  lockWaitMs?: number | undefined;
  log: Logger;
}

/** The store of a service, and the owners' homes if it is one of several nodes. */
export interface Storage extends Store {
  readonly homes: Homes | null;
  /** Where session files are stored; null: only in their folders. */
  readonly files: FileStore | null;
  /** Commits that wait for a connection to PostgreSQL; absent: the store is SQLite. */
  readonly connectionsWaiting?: (() => number) | undefined;
}

/** Opens a PostgreSQL database, and holds the data folder like any service: commands find the service by it. */
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
    const { openPostgresDatabase } = await import('../store/postgres/database.ts');
    if (nodeUrl !== null) {
      const { openHomes } = await import('../cluster/homes.ts');
      homes = await openHomes({ url, nodeUrl, rank: machineNumber, restate, log });
    }
    const opening = homes === null ? { waitMs: lockWaitMs } : 'beside';
    const db = await openPostgresDatabase({ url, opening, fences: homes, log });
    const store = createStore(db);
    const close = async (isOrderly: boolean): Promise<void> => {
      // The database has a lock of its own.
      folder.close();
      // The end of one node says nothing about the others: each home ends for itself.
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

/**
 * Opens a service's storage exclusively for this process. Throws `DATA_DIR_LOCKED`, `STORE_TOO_NEW`, and
 * `STORAGE_UNAVAILABLE` for a failing disk.
 */
export const openStorage = async (given: StorageOptions): Promise<Storage> => {
  if (given.databaseUrl != null) return openOnPostgres(given.databaseUrl, given);
  const { dataDir, maxBytes, lockWaitMs, log } = given;
  const opened = openDatabase({ dataDir, maxBytes, ...(lockWaitMs !== undefined && { lockWaitMs }) });
  return { ...createStore(createSqliteDatabase(opened, log)), homes: null, files: null };
};
