import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { execute, type Queries, queryOne, type Statement, statement } from '../../lib/queries.ts';
import type { Fences } from '../port.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { SET_META } from '../sql/recover.ts';
import { createCommits } from './commits.ts';
import { BY_INDEX, connectionTo } from './connection.ts';
import { connected, createPool } from './connections.ts';
import { callerError, isFenced, isStorageError, startError } from './errors.ts';
import { createGatheredReads } from './gathered-reads.ts';
import { type Opening, openPostgres } from './open.ts';
import { createStatements, StatementFault } from './statements.ts';

/** Connections for everything but rounds of commits: single works, and reads. */
const POOL_MAX = 14;

/** Connections for rounds: one for works with queries, one for the others. */
const ROUNDS_MAX = 2;

/**
 * How long a round waits for a lock, in milliseconds. Work that waits longer continues alone, without delaying others.
 */
const ROUND_LOCK_MS = 100;

/** The first of a block of numbers for sessions, and the size of the block. */
export const NEW_SESSION_ID = "SELECT nextval('session_ids') AS id";
const BLOCK = 1_000;

/** How long cached values of `meta` and of the database size are valid, in milliseconds. */
const MARKS_MS = 1_000;
const SIZE_MS = 60_000;

/** The signing key: the first one that any node created. */
const SIGNING_KEY = `INSERT INTO meta (key, value) VALUES ('signing_key', $1)
  ON CONFLICT (key) DO UPDATE SET value = meta.value RETURNING value`;

/** The length of the HMAC-SHA256 key that it signs with. */
const KEY_BYTES = 32;

const READ = statement('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', {});
/** Work after another statement. */
function* after<Result>(first: Statement, work: Queries<Result>): Queries<Result> {
  yield first;
  return yield* work;
}

const COMMIT = { name: 'commit', text: 'COMMIT' };

/** The database's address, and the receiver of its faults. */
export interface PostgresParts {
  url: string;
  opening: Opening;
  /** This node's homes if there are several nodes; null: it is the home of all. */
  fences?: Fences | null;
  log: Logger;
}

/**
 * Opens a PostgreSQL database that runs the store's statements. A commit without queries is sent at once. Throws
 * like `openPostgres`.
 */
export const openPostgresDatabase = async ({
  url,
  opening,
  fences = null,
  log,
}: PostgresParts): Promise<SqlDatabase> => {
  const held = await openPostgres(url, opening);
  const settings = connectionTo(url, BY_INDEX);
  const pool = createPool({ ...settings, max: POOL_MAX });
  const roundPool = createPool({ ...settings, lock_timeout: ROUND_LOCK_MS, max: ROUNDS_MAX });
  const statements = createStatements();
  const readOne = createGatheredReads(pool, statements);
  const isWorthALine = onceAMinute();
  let isBroken = false;
  let isFencedOff = false;
  let isClosed = false;

  const note = (error: unknown): void => {
    if (!isStorageError(error)) return;
    isBroken = true;
    if (isFenced(error) && !isFencedOff) {
      isFencedOff = true;
      log.fatal({ err: error }, 'another service has taken over this database; nothing is stored until a restart');
    } else if (isWorthALine())
      log.error({ err: error }, 'the database cannot be used; requests that need it get 503 until it can');
  };
  const stopped = (): ServiceError =>
    new ServiceError('SHUTTING_DOWN', 'The service has stopped; ask again after its restart');
  const fault = (error: unknown): unknown => {
    if (isClosed) return stopped();
    note(error);
    return callerError(error);
  };
  const assertOpen = (): void => {
    if (isClosed) throw stopped();
  };

  /** The first queries of works that run several. */
  const firstOfSeveral = new Set<string>();
  /** All reads of a work see the same moment. */
  const read = async <Result>(work: () => Queries<Result>): Promise<Result> => {
    assertOpen();
    try {
      const running = work();
      const first = running.next();
      if (first.done === true) return first.value;
      const { sql } = first.value;
      if (!firstOfSeveral.has(sql)) {
        const next = running.next(await readOne(first.value));
        if (next.done === true) return next.value;
        firstOfSeveral.add(sql);
      }
      return await connected(pool, async (client) => {
        const result = await statements.all(client, after(READ, work()));
        client.query(COMMIT).catch(() => {});
        return result;
      });
    } catch (error) {
      throw error instanceof StatementFault ? fault(error.cause) : error;
    }
  };

  const { write, commit } = createCommits({
    pool,
    roundPool,
    statements,
    fences,
    fence: held.fence,
    assertOpen,
    onStored: () => {
      isBroken = false;
    },
    fault,
  });

  let [nextId, endId] = [0, 0];
  let taking: Promise<void> | undefined;
  const takeBlock = async (): Promise<void> => {
    try {
      nextId = (await read(() => queryOne<{ id: number }>(NEW_SESSION_ID, {})))!.id;
      endId = nextId + BLOCK;
    } finally {
      taking = undefined;
    }
  };

  const marks = new Set<string>();
  const readMarks = async (): Promise<void> => {
    const { rows } = await pool.query<{ key: string }>('SELECT key FROM meta');
    for (const { key } of rows) marks.add(key);
  };

  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    isClosed = true;
    clearInterval(marking);
    await Promise.all([pool.end(), roundPool.end()]);
    await held.close();
  };
  const marking = setInterval(() => void readMarks().catch(() => {}), MARKS_MS).unref();
  let size = { used: 0, max: Number.POSITIVE_INFINITY };
  let sizedAt = Number.NEGATIVE_INFINITY;
  let key: Buffer;
  try {
    await readMarks();
    const made = randomBytes(KEY_BYTES).toString('base64');
    const { rows } = await pool.query<{ value: string }>(SIGNING_KEY, [made]);
    key = Buffer.from(rows[0]!.value, 'base64');
  } catch (error) {
    await closeAll();
    throw startError(error);
  }

  return {
    read,
    write,
    commit,
    newSessionId: async () => {
      while (nextId === endId) {
        taking ??= takeBlock();
        await taking;
      }
      nextId += 1;
      return nextId - 1;
    },
    isMarked: (mark) => marks.has(mark),
    marked: (mark) => void marks.add(mark),
    signingKey: () => key,
    size: async () => {
      if (performance.now() - sizedAt > SIZE_MS) {
        sizedAt = performance.now();
        const sql = 'SELECT pg_database_size(current_database()) AS used';
        const row = await read(() => queryOne<{ used: number }>(sql, {}));
        size = { ...size, used: row!.used };
      }
      return size;
    },
    isWritable: async () => {
      if (isFencedOff) return false;
      if (!isBroken) return true;
      try {
        await write(null, () => execute(SET_META, { key: 'written_at', value: String(Date.now()) }));
        return true;
      } catch {
        return false;
      }
    },
    waiting: () => pool.waitingCount + roundPool.waitingCount,
    close: () => (closing ??= closeAll()),
  };
};
