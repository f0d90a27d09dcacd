import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { execute, queryOne } from '../../lib/queries.ts';
import type { Fences } from '../port.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { SET_META } from '../sql/recover.ts';
import { createCommits } from './commits.ts';
import { BY_INDEX, connectionTo } from './connection.ts';
import { createPool } from './connections.ts';
import { startError } from './errors.ts';
import { Marks } from './marks.ts';
import { type Opening, openPostgres } from './open.ts';
import { ServerHealth } from './server-health.ts';
import { SessionIds } from './session-ids.ts';
import { createSnapshotReads } from './snapshot-reads.ts';
import { createStatements } from './statements.ts';

/** Connections for everything but rounds of commits: single works, and reads. */
const POOL_MAX = 14;

/** Connections for rounds: one for works with queries, one for the others. */
const ROUNDS_MAX = 2;

/**
 * How long a round waits for a lock, in milliseconds. Work that waits longer continues alone, without delaying others.
 */
const ROUND_LOCK_MS = 100;

/** How long a measured size of the database is valid, in milliseconds. */
const SIZE_MS = 60_000;

/** The signing key: the first one that any node created. */
const SIGNING_KEY = `INSERT INTO meta (key, value) VALUES ('signing_key', $1)
  ON CONFLICT (key) DO UPDATE SET value = meta.value RETURNING value`;

/** The length of the HMAC-SHA256 key that it signs with. */
const KEY_BYTES = 32;

/** The database's address, and the receiver of its faults. */
export interface PostgresParts {
  url: string;
  opening: Opening;
  /** This node's homes if there are several nodes; null: it is the home of all. */
  fences?: Fences | null;
  log: Logger;
}

const sharedKey = async (pool: pg.Pool): Promise<Buffer> => {
  const made = randomBytes(KEY_BYTES).toString('base64');
  const { rows } = await pool.query<{ value: string }>(SIGNING_KEY, [made]);
  return Buffer.from(rows[0]!.value, 'base64');
};

/** Creates the measurement of the database's size, which has no limit of its own. */
const createSize = (read: SqlDatabase['read']): SqlDatabase['size'] => {
  let size = { used: 0, max: Number.POSITIVE_INFINITY };
  let measuredAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - measuredAt > SIZE_MS) {
      measuredAt = performance.now();
      const sql = 'SELECT pg_database_size(current_database()) AS used';
      const row = await read(() => queryOne<{ used: number }>(sql, {}));
      size = { ...size, used: row!.used };
    }
    return size;
  };
};

const isWritable = async (health: ServerHealth, write: SqlDatabase['write']): Promise<boolean> => {
  if (health.state !== 'broken') return health.state === 'writable';
  try {
    await write(null, () => execute(SET_META, { key: 'written_at', value: String(Date.now()) }));
    return true;
  } catch {
    return false;
  }
};

/**
 * Opens a PostgreSQL database that runs the store's statements. A commit without queries is sent at once. Throws
 * like `openPostgres`.
 */
export const openPostgresDatabase = async (parts: PostgresParts): Promise<SqlDatabase> => {
  const { url, opening, fences = null, log } = parts;
  const held = await openPostgres(url, opening);
  const settings = connectionTo(url, BY_INDEX);
  const pool = createPool({ ...settings, max: POOL_MAX });
  const roundPool = createPool({ ...settings, lock_timeout: ROUND_LOCK_MS, max: ROUNDS_MAX });
  const statements = createStatements();
  const health = new ServerHealth(log);
  const marks = new Marks(pool);
  const read = createSnapshotReads({ pool, statements, health });
  const { write, commit } = createCommits({ pool, roundPool, statements, fences, fence: held.fence, health });
  const sessionIds = new SessionIds(read);

  const closeAll = async (): Promise<void> => {
    health.close();
    marks.stop();
    await Promise.all([pool.end(), roundPool.end()]);
    await held.close();
  };
  let closing: Promise<void> | undefined;

  let key: Buffer;
  try {
    await marks.read();
    key = await sharedKey(pool);
  } catch (error) {
    await closeAll();
    throw startError(error);
  }

  return {
    read,
    write,
    commit,
    newSessionId: () => sessionIds.take(),
    isMarked: (mark) => marks.has(mark),
    marked: (mark) => marks.add(mark),
    signingKey: () => key,
    size: createSize(read),
    isWritable: () => isWritable(health, write),
    waiting: () => pool.waitingCount + roundPool.waitingCount,
    close: () => (closing ??= closeAll()),
  };
};
