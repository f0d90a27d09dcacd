import type { Database } from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';

/** Brings a database of version 27, with histories of `tripact-task@2`, to the newest one, in one transaction. */
export const migrateFrom27 = (_db: Database): void => {
  throw new ServiceError(
    'CONFIG_INVALID',
    'The database is of version 27, with histories of tripact-task@2, which this Tripact does not read; nothing was changed. Start it with the build that wrote it, or name another folder in TRIPACT_DATA_DIR',
  );
};
