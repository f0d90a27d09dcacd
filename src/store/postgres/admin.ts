import { pino } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import type { Admin } from '../port.ts';
import { createAccessStore } from '../sql/access.ts';
import { auditLines } from '../sql/audit.ts';
import { createTransfers, type Dialect } from '../sql/owner-transfer.ts';
import { type FolderRemoval, pruneSessions } from '../sql/removal.ts';
import { openPostgresDatabase } from './database.ts';
import type { Opening } from './open.ts';
import { NEW_SESSION_ID } from './session-ids.ts';

const log = pino({ level: 'silent' });

const DIALECT: Dialect = {
  columns:
    'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = @table',
  newSession: NEW_SESSION_ID,
  released: `SELECT 1 AS one WHERE coalesce((SELECT was_released FROM homes WHERE owner = @owner),
    (SELECT value = '1' FROM meta WHERE key = 'clean_shutdown'))`,
};

const ownTools = (): never => {
  throw new ServiceError(
    'INVALID_REQUEST',
    'Back up and restore the database of TRIPACT_DATABASE_URL with its own tools: pg_dump and pg_restore, or those of its host',
  );
};

/** An operator's work on the data in a PostgreSQL database, like `createAdmin` for a data folder. */
export const createPostgresAdmin = (url: string, removeFolder: FolderRemoval): Admin => {
  const open = (opening: Opening) => openPostgresDatabase({ url, opening, log });
  return {
    bytes: async () => {
      const db = await open('beside');
      try {
        return (await db.size()).used;
      } finally {
        await db.close();
      }
    },
    prune: async function* ({ isDryRun, ...options }) {
      const db = await open(isDryRun ? 'beside' : {});
      try {
        // Its autovacuum frees the space for new data.
        yield* pruneSessions(db, options, isDryRun ? null : removeFolder, Date.now());
      } finally {
        await db.close();
      }
    },
    audit: async function* (query) {
      const db = await open('beside');
      try {
        yield* auditLines(db, { ...query, now: Date.now() });
      } finally {
        await db.close();
      }
    },
    openAccess: async () => {
      const db = await open('beside');
      return { ...createAccessStore(db), close: db.close };
    },
    ...createTransfers((owner) => open({ owner }), DIALECT),
    backUp: ownTools,
    restore: ownTools,
  };
};
