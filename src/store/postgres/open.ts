import { readFileSync } from 'node:fs';
import pg from 'pg';
import { ServiceError } from '../../lib/errors.ts';
import { SERVICE_HOME } from '../homes/port.ts';
import { connectionTo } from './connection.ts';
import { startError } from './errors.ts';

/** The newest version of the schema. */
const VERSION = 1;

const SCHEMA = new URL('./schema.sql', import.meta.url);

/** The advisory lock of migrations, and that of the service that uses the database: both of the schema that it is in. */
const LOCK = (name: string): string => `hashtextextended('tripact ${name} ' || current_schema(), 0)`;

/** How long a second service waits for the one that uses the database before it refuses to start, in milliseconds (SPEC 7). */
const LOCK_WAIT_MS = 5_000;

/** Makes the tables of a new database. Throws `STORE_TOO_NEW` for a newer version's, and for what is none of Tripact's. */
const migrate = async (client: pg.Client): Promise<void> => {
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK('schema')})`);
  const { rows } = await client.query<{ meta: string | null; sessions: string | null }>(
    "SELECT to_regclass('meta')::text AS meta, to_regclass('sessions')::text AS sessions",
  );
  const found = rows[0]!;
  if (found.meta === null && found.sessions !== null)
    throw new ServiceError(
      'STORAGE_UNAVAILABLE',
      'The database of TRIPACT_DATABASE_URL has tables of another program; give Tripact a database or a schema of its own',
    );
  if (found.meta === null) {
    await client.query(readFileSync(SCHEMA, 'utf8'));
    await client.query("INSERT INTO homes (owner, fence) VALUES ('', 0)");
    await client.query("INSERT INTO meta (key, value) VALUES ('schema_version', $1)", [String(VERSION)]);
  }
  const version = await client.query<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'");
  if (Number(version.rows[0]?.value) > VERSION)
    throw new ServiceError(
      'STORE_TOO_NEW',
      `The database is of version ${version.rows[0]?.value}, this Tripact knows up to ${VERSION}; upgrade Tripact`,
    );
  await client.query('COMMIT');
};

/** Refuses a database whose texts are not UTF-8, and a pooler in front of it that forgets prepared statements. */
const check = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding");
  if (rows[0]?.encoding !== 'UTF8')
    throw new ServiceError(
      'STORAGE_UNAVAILABLE',
      `The database stores texts as ${rows[0]?.encoding}; make one with ENCODING 'UTF8'`,
    );
  try {
    for (const value of [1, 2])
      await client.query({ name: 'tripact_check', text: 'SELECT $1::bigint AS value', values: [value] });
  } catch (error) {
    throw new ServiceError(
      'STORAGE_UNAVAILABLE',
      'The pooler in front of the database drops prepared statements; turn them on (PgBouncer: max_prepared_statements), or connect directly',
      { cause: error },
    );
  }
};

/** The hold of this process on a database. */
export interface Hold {
  /** Named in each commit; a later holder's is greater. */
  readonly fence: number;
  close(): Promise<void>;
}

/** Says whether the lock of the service was to be had. */
const takeLock = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${LOCK('service')}) AS taken`);
  return rows[0]!.taken;
};

/** Shares a database with other nodes, as long as the connection lasts. Throws `DATA_DIR_LOCKED` where a service has it for itself. */
export const shareDatabase = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock_shared(${LOCK('service')}) AS taken`,
  );
  if (rows[0]?.taken === true) return;
  throw new ServiceError(
    'DATA_DIR_LOCKED',
    'A service without TRIPACT_NODE_URL has this database for itself; stop it, or set the variable there, too',
  );
};

/** How often the lock is asked for while another one has it, or the connection that held it is gone, in milliseconds. */
const RETRY_MS = 250;

/** Holds a database for this process: the fence is raised once. Throws `DATA_DIR_LOCKED` where another service holds it for longer than `waitMs`. */
const hold = async (url: string, client: pg.Client, waitMs: number): Promise<Hold> => {
  const until = performance.now() + waitMs;
  while (!(await takeLock(client))) {
    if (performance.now() >= until)
      throw new ServiceError(
        'DATA_DIR_LOCKED',
        'Another service uses this database; stop it, or set TRIPACT_DATABASE_URL to another one',
      );
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  // A commit that a killed holder had sent may still be under way.
  await client.query('BEGIN');
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('home ', 0))");
  // Nodes that had the database before, and have been frozen since, have homes of their own.
  const { rows } = await client.query<{ owner: string; fence: number }>(
    'UPDATE homes SET fence = fence + 1, node = NULL RETURNING owner, fence',
  );
  await client.query('COMMIT');
  let holder = client;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  // The lock goes with its connection; the fence does not, and so nothing is in danger until the lock is held again.
  const retake = async (): Promise<void> => {
    const next = new pg.Client(connectionTo(url));
    next.on('error', () => {});
    try {
      await next.connect();
      if (isClosed || !(await takeLock(next))) throw new Error('the lock is not to be had yet');
      holder = next;
      next.on('end', again);
    } catch {
      await next.end().catch(() => {});
      again();
    }
  };
  const again = (): void => {
    if (!isClosed) timer = setTimeout(() => void retake(), RETRY_MS).unref();
  };
  client.on('end', again);
  return {
    fence: rows.find(({ owner }) => owner === SERVICE_HOME)!.fence,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await holder.end().catch(() => {});
    },
  };
};

/** The fence that holds now, for a few commits beside the service that has it. */
const borrow = async (client: pg.Client): Promise<Hold> => {
  const { rows } = await client.query<{ fence: number }>("SELECT fence FROM homes WHERE owner = ''");
  return { fence: rows[0]!.fence, close: () => client.end() };
};

/** Keeps an owner from all nodes, as long as the connection lasts. Throws `DATA_DIR_LOCKED` where a service may serve it. */
const keepOwner = async (client: pg.Client, owner: string): Promise<Hold> => {
  await shareDatabase(client);
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [owner]);
  const { rows } = await client.query<{ url: string }>(
    'SELECT n.url FROM homes h JOIN nodes n ON n.id = h.node WHERE h.owner = $1 AND is_alive(n.id)',
    [owner],
  );
  if (rows[0] === undefined) return borrow(client);
  throw new ServiceError(
    'DATA_DIR_LOCKED',
    `The node ${rows[0].url} serves "${owner}": try again when nothing of it has run or been asked for a minute, or stop the node`,
  );
};

/** How a database is opened: for this process alone, waiting so long for another one to end, in milliseconds; beside a service, or nodes of one; or beside nodes that do not serve an owner meanwhile. */
export type Opening = { waitMs?: number | undefined } | 'beside' | { owner: string };

/** Connects, checks the database, and brings its tables to the newest version; then does `work`, which ends the connection where it is done with it. */
const opened = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client(connectionTo(url));
  client.on('error', () => {});
  try {
    await client.connect();
    await check(client);
    await migrate(client);
    return await work(client);
  } catch (error) {
    await client.end().catch(() => {});
    throw startError(error);
  }
};

/** Makes a database ready for nodes, which hold none of it. Throws as `openPostgres` does. */
export const prepareDatabase = (url: string): Promise<void> => opened(url, (client) => client.end());

/** Opens a PostgreSQL database, brings its tables up to date and holds it. Throws `DATA_DIR_LOCKED`, `STORE_TOO_NEW` and `STORAGE_UNAVAILABLE`. */
export const openPostgres = (url: string, opening: Opening): Promise<Hold> =>
  opened(url, (client) => {
    if (opening === 'beside') return borrow(client);
    return 'owner' in opening ? keepOwner(client, opening.owner) : hold(url, client, opening.waitMs ?? LOCK_WAIT_MS);
  });
