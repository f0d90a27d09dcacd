import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../../lib/errors.ts';
import type { Admin } from '../port.ts';
import { createAccessStore } from '../sql/access.ts';
import { auditLines } from '../sql/audit.ts';
import { createTransfers, type Dialect } from '../sql/owner-transfer.ts';
import { type FolderRemoval, pruneSessions } from '../sql/removal.ts';
import { backUp, restore } from './copies.ts';
import { createSqliteDatabase } from './database.ts';
import { DATABASE_FILE, openBeside, openDatabase } from './open.ts';
import { startError } from './storage-errors.ts';

const DIALECT: Dialect = {
  columns: 'SELECT name FROM pragma_table_info(@table)',
  newSession: 'SELECT coalesce(max(id), 0) + 1 AS id FROM sessions',
  released: "SELECT 1 AS one FROM meta WHERE key = 'clean_shutdown' AND value = '1'",
};

/** How long an operator's commands wait for a stopping service, in milliseconds. */
const STOP_WAIT_MS = 1_000;

export interface AdminParts {
  dataDir: string;
  /** Removes the folder of a removed session. */
  removeFolder: FolderRemoval;
  now(): number;
}

/** An operator's work on a data folder, for all owners. Each operation throws `STORE_TOO_NEW`. Opens nothing yet. */
export const createAdmin = ({ dataDir, removeFolder, now }: AdminParts): Admin => ({
  bytes: async () => {
    const found = statSync(join(dataDir, DATABASE_FILE), { throwIfNoEntry: false });
    if (found?.isFile() === true) return found.size;
    throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  },
  prune: async function* ({ isDryRun, ...options }) {
    const opened = isDryRun ? openBeside(dataDir) : openDatabase({ dataDir, lockWaitMs: STOP_WAIT_MS });
    const db = createSqliteDatabase(opened);
    let isAnyRemoved = false;
    try {
      for await (const session of pruneSessions(db, options, isDryRun ? null : removeFolder, now())) {
        isAnyRemoved = !isDryRun;
        yield session;
      }
      // Frees the space of the removed sessions. Temporarily needs as much space as remains used.
      if (isAnyRemoved) opened.db.exec('VACUUM');
      if (isAnyRemoved) opened.db.pragma('wal_checkpoint(TRUNCATE)');
    } catch (error) {
      throw startError(error, dataDir);
    } finally {
      opened.close();
    }
  },
  audit: async function* (query) {
    const opened = openBeside(dataDir);
    try {
      yield* auditLines(createSqliteDatabase(opened), { ...query, now: now() });
    } finally {
      opened.close();
    }
  },
  openAccess: async () => {
    const opened = openBeside(dataDir);
    const access = createAccessStore(createSqliteDatabase(opened));
    return { ...access, close: async () => opened.close() };
  },
  ...createTransfers(async () => createSqliteDatabase(openDatabase({ dataDir, lockWaitMs: STOP_WAIT_MS })), DIALECT),
  backUp: (file) => backUp(dataDir, resolve(file)),
  restore: (file, { force }) => restore(dataDir, resolve(file), { force, now: now() }),
});
