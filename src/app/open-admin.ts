import type { Admin } from '../engine/admin.ts';
import { createSqliteAdmin } from '../store/sqlite/sqlite-admin.ts';
import { removeSessions } from './retention.ts';

/** The administration of a data folder; paths may be relative to the working directory. */
export const openAdmin = (dataDir: string): Admin =>
  createSqliteAdmin({
    dataDir,
    removeFolders: (removed) => removeSessions(removed, dataDir),
    now: Date.now,
  });
