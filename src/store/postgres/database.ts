import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { onceAMinute } from '../../lib/once-a-minute.ts';
import { type Asking, askOne, type Question, tell, told } from '../../lib/questions.ts';
import type { Fences } from '../port.ts';
import type { SqlDatabase, Write, WriteHow } from '../sql/database.ts';
import { SET_META } from '../sql/recover.ts';
import { type CallsToAdd, storeCalls } from '../sql/usage.ts';
import { connectionTo } from './connection.ts';
import { callerError, isFenced, isInTheWay, isStorageError, startError } from './errors.ts';
import { type Opening, openPostgres } from './open.ts';
import { answered, createRunner, StatementFault } from './run-questions.ts';

/** Connections that commit at once. */
const POOL_MAX = 16;

/** How often a commit is run that others stood in the way of. */
const TRIES_MAX = 3;

/** The first of a block of numbers for sessions, and how many are in it. */
export const NEW_SESSION_ID = "SELECT nextval('session_ids') AS id";
const BLOCK = 1_000;

/** How long what `meta` says is relied on, and how long the size of the database is, in milliseconds. */
const MARKS_MS = 1_000;
const SIZE_MS = 60_000;

/** The key that signs: the first one that any node made. */
const SIGNING_KEY = `INSERT INTO meta (key, value) VALUES ('signing_key', $1)
  ON CONFLICT (key) DO UPDATE SET value = meta.value RETURNING value`;

/** As long as what it signs with: HMAC-SHA256. */
const KEY_BYTES = 32;

const BEGIN = told('BEGIN', {});
const READ = told('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', {});
const COMMIT = { name: 'commit', text: 'COMMIT' };

/** Work behind another question. */
function* after<Result>(first: Question, work: Asking<Result>): Asking<Result> {
  yield first;
  return yield* work;
}

/** Takes the lock of a commit, and refuses an old fence. */
const enter = (owner: string, { name, fence }: { name: string; fence: number }, isAlone: boolean): Question => ({
  sql: `SELECT enter(@owner, @name, @fence, ${isAlone})`,
  values: { owner, name, fence },
  isTold: !isAlone,
});

/** Where a database is, and who is told of its faults. */
export interface PostgresParts {
  url: string;
  opening: Opening;
  /** The homes of this node where there are several; null: it is the home of all. */
  fences?: Fences | null;
  log: Logger;
}

/** Opens a PostgreSQL database that answers the store's questions; a commit without questions is sent in one go. Throws as `openPostgres` does. */
export const openPostgresDatabase = async ({
  url,
  opening,
  fences = null,
  log,
}: PostgresParts): Promise<SqlDatabase> => {
  const held = await openPostgres(url, opening);
  const pool = new pg.Pool({ ...connectionTo(url), max: POOL_MAX, pipeline: true });
  // A connection that is lost while nobody uses it; the next one who needs it makes another.
  pool.on('error', () => {});
  // One that is lost in the moment in which it is handed out.
  pool.on('connect', (client) => client.on('error', () => {}));
  const run = createRunner();
  const isWorthALine = onceAMinute();
  let isBroken = false;
  let isFencedOff = false;
  let isClosed = false;

  /** The home that a commit is of, and its fence; null for what belongs to no owner, which any node may write. */
  const homeOf = (owner: string | null): { name: string; fence: number } | null => {
    if (fences === null) return { name: '', fence: held.fence };
    return owner === null ? null : { name: owner, fence: fences.of(owner) };
  };

  const note = (error: unknown): void => {
    if (!isStorageError(error)) return;
    isBroken = true;
    if (isFenced(error) && !isFencedOff) {
      isFencedOff = true;
      log.fatal({ err: error }, 'another service has taken over this database; nothing is stored until a restart');
    } else if (isWorthALine())
      log.error({ err: error }, 'the database can not be used; requests that need it get 503 until it can');
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

  /** Runs `work` on a connection of its own. What it sent and did not wait for when it fails is rolled back. */
  const connected = async <Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw new StatementFault('no connection', { cause: error });
    });
    let lost: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      await client.query('ROLLBACK').catch((cause: Error) => {
        lost = cause;
      });
      throw error;
    } finally {
      client.release(lost);
    }
  };

  /** The first questions of works that have more of them. */
  const firstOfSeveral = new Set<string>();
  /** All that a work reads is of one moment. */
  const read = async <Result>(work: () => Asking<Result>): Promise<Result> => {
    assertOpen();
    try {
      const asking = work();
      const first = asking.next();
      if (first.done === true) return first.value;
      const { sql } = first.value;
      if (!firstOfSeveral.has(sql)) {
        const next = asking.next(await run.one(pool, first.value));
        if (next.done === true) return next.value;
        firstOfSeveral.add(sql);
      }
      return await connected(async (client) => {
        const result = await run.all(client, after(READ, work()), []);
        client.query(COMMIT).catch(() => {});
        return result;
      });
    } catch (error) {
      throw error instanceof StatementFault ? fault(error.cause) : error;
    }
  };

  const transact = async <Result>(
    owner: string | null,
    home: ReturnType<typeof homeOf>,
    work: Write<Result>,
    how: WriteHow,
  ): Promise<Result> => {
    const commit = function* (): Asking<Result> {
      const calls: CallsToAdd = new Map();
      // The counts that a work reads in memory must be as the owner's last commit left them.
      if (home !== null) yield enter(owner ?? '', home, how === 'alone');
      const result = yield* work(calls);
      yield* storeCalls(calls);
      return result;
    };
    if (how === 'at once') return run.together(pool, commit());
    return connected(async (client) => {
      const told: Promise<unknown>[] = [];
      const result = await run.all(client, after(BEGIN, commit()), told);
      const { command } = await answered(client.query(COMMIT), told);
      if (command !== 'COMMIT') throw new StatementFault(`the commit ended as ${command}`);
      return result;
    });
  };

  const write: SqlDatabase['write'] = async (owner, work, how = 'alone') => {
    for (let tries = 1; ; tries += 1) {
      assertOpen();
      const home = homeOf(owner);
      try {
        const result = await transact(owner, home, work, how);
        isBroken = false;
        return result;
      } catch (error) {
        if (!(error instanceof StatementFault)) throw error;
        if (fences !== null && home !== null && isFenced(error.cause)) {
          fences.lost(home.name, home.fence);
          throw callerError(error.cause);
        }
        if (!isInTheWay(error.cause) || tries === TRIES_MAX) throw fault(error.cause);
      }
    }
  };

  let [nextId, endId] = [0, 0];
  let taking: Promise<void> | undefined;
  const takeBlock = async (): Promise<void> => {
    try {
      nextId = (await read(() => askOne<{ id: number }>(NEW_SESSION_ID, {})))!.id;
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
    await pool.end();
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
        const row = await read(() => askOne<{ used: number }>(sql, {}));
        size = { ...size, used: row!.used };
      }
      return size;
    },
    isWritable: async () => {
      if (isFencedOff) return false;
      if (!isBroken) return true;
      try {
        await write(null, () => tell(SET_META, { key: 'written_at', value: String(Date.now()) }));
        return true;
      } catch {
        return false;
      }
    },
    waiting: () => pool.waitingCount,
    close: () => (closing ??= closeAll()),
  };
};
