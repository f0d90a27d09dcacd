import { pino } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { type Admin, type AdminParts, flattened } from '../open-storage.ts';
import { createAccessStore } from '../sql/access.ts';
import type { Dialect } from '../sql/move.ts';
import { pruneSessions } from '../sql/removal.ts';
import { openPostgresDatabase } from './database.ts';

const log = pino({ level: 'silent' });

const DIALECT: Dialect = {
  columns:
    'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = @table',
  released: `SELECT 1 AS one WHERE coalesce((SELECT was_released FROM homes WHERE owner = @owner),
    (SELECT value = '1' FROM meta WHERE key = 'clean_shutdown'))`,
};

const ownTools = (): never => {
  throw new ServiceError(
    'INVALID_REQUEST',
    'The database of TRIPACT_DATABASE_URL is backed up and restored with its own tools: pg_dump and pg_restore, or what its host offers',
  );
};

/** Makes the operator's work on the data in a PostgreSQL database, as `createAdmin` does for a data folder. */
export const createPostgresAdmin = (url: string, { removeFolders }: Pick<AdminParts, 'removeFolders'>): Admin => ({
  prune: async ({ isDryRun, ...options }, onRemoved) => {
    const db = await openPostgresDatabase({ url, opening: isDryRun ? 'beside' : {}, log });
    try {
      const { used } = await db.size();
      let sessions = 0;
      const removed = pruneSessions(db, options, isDryRun);
      for await (const session of isDryRun ? flattened(removed) : removeFolders(removed)) {
        sessions += 1;
        onRemoved(session);
      }
      // Its autovacuum makes the room free for what comes next.
      return { sessions, bytesBefore: used, bytesAfter: used };
    } finally {
      await db.close();
    }
  },
  openAccess: async () => {
    const db = await openPostgresDatabase({ url, opening: 'beside', log });
    return { ...createAccessStore(db), close: db.close };
  },
  openOwner: async (owner) => [await openPostgresDatabase({ url, opening: { owner }, log }), DIALECT],
  backUp: ownTools,
  restore: ownTools,
});
