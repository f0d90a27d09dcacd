import pg from 'pg';
import type { Logger } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { connectionTo } from '../postgres/connection.ts';
import { prepareDatabase, shareDatabase } from '../postgres/open.ts';
import { type Fences, type Home, type Homes, type Residents, SERVICE_HOME } from './port.ts';

/** How long a node counts as alive after it was heard last, and how often it says so, in milliseconds. */
const LEASE_MS = 5_000;
const PING_MS = 1_250;

/** How often owners without a home are looked for, in milliseconds: some jitter keeps nodes apart. */
const SWEEP_MS = 500;

/** Owners that a sweep takes up. */
const SWEPT_MAX = 64;

/** How long an owner with nothing open stays at home, in milliseconds. */
const IDLE_MS = 60_000;

/** How soon a lost lease is asked for again, in milliseconds. */
const RETRY_MS = 250;

/**
 * Owners with something to do whose home is nobody, a node that is dead, or this one, which does not know it: the answer to its claim got lost.
 * The service always has something to do.
 */
const HOMELESS = `
  SELECT owner FROM (
    SELECT owner FROM tasks WHERE state = 'running'
    UNION SELECT owner FROM turns WHERE finished_at IS NULL
    UNION SELECT owner FROM reminders WHERE due_at <= $1
    UNION SELECT reader FROM outbox WHERE due_at <= $1
    UNION SELECT '${SERVICE_HOME}') AS work
  WHERE NOT EXISTS (
    SELECT 1 FROM homes h WHERE h.owner = work.owner AND is_alive(h.node) AND (h.node <> $2 OR h.owner = ANY($3)))
  LIMIT ${SWEPT_MAX}`;

export interface LeaseParts {
  /** The database. */
  url: string;
  /** Where other nodes reach this one. */
  nodeUrl: string;
  /** The version of this node's machine. */
  rank: number;
  log: Logger;
}

interface Claim {
  fence: number | null;
  url: string | null;
  was_released: boolean;
}

/** A home here. */
interface Held {
  fence: number;
  /** Since when it has been idle, by `performance.now()`; null: it is not. */
  idleSince: number | null;
}

const moved = (): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', 'What is stored of you is served by another node from now on; ask again');

/**
 * Gives homes by leases: PostgreSQL itself tells which node is alive, by the connection that each keeps open. What is decided here is
 * written nowhere else: a commit under an old fence is refused, whatever a node believes.
 */
export const openLeases = async ({ url, nodeUrl, rank, log }: LeaseParts): Promise<Homes & Fences> => {
  const homes = new Map<string, Held>();
  /** Claims under way, by owner: one that is not over is no home yet. */
  const claims = new Map<string, Promise<Home>>();
  let residents: Residents | undefined;
  let isStopping = false;
  let lease: pg.Client | null = null;
  /** Since when the lease is held without a break, by `performance.now()`. */
  let leasedAt = 0;
  const timers = new Set<NodeJS.Timeout>();

  const every = (ms: number, work: () => Promise<void>): void => {
    const again = (): void => {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          work()
            .catch((error: unknown) => log.debug({ err: error }, 'homes can not be looked after; trying again'))
            .finally(() => isStopping || again());
        },
        ms * (0.75 + Math.random() / 2),
      ).unref();
      timers.add(timer);
    };
    again();
  };

  const lose = (owner: string, fence: number): void => {
    if (homes.get(owner)?.fence !== fence) return;
    homes.delete(owner);
    log.warn({ owner }, 'another node is the home of an owner; what ran here is dropped');
    residents?.lose(owner);
  };

  const connect = async (node: number | null): Promise<number> => {
    const client = new pg.Client({ ...connectionTo(url), application_name: 'tripact lease', query_timeout: LEASE_MS });
    client.on('error', () => {});
    client.on('end', () => {
      if (lease === client) lease = null;
    });
    try {
      await client.connect();
      await client.query(`SET idle_session_timeout = ${LEASE_MS}`);
      await shareDatabase(client);
      const made = await client.query<{ id: number }>(
        node === null
          ? 'INSERT INTO nodes (url, rank, started_at) VALUES ($1, $2, $3) RETURNING id'
          : 'UPDATE nodes SET url = $1, rank = $2, started_at = $3 WHERE id = $4 RETURNING id',
        [nodeUrl, rank, Date.now(), ...(node === null ? [] : [node])],
      );
      const { id } = made.rows[0]!;
      await client.query('SELECT pg_advisory_lock(node_locks(), $1::integer)', [id]);
      // Others may have taken homes while there was no lease; a home that only waits would not learn of it by a commit.
      const kept = await client.query<{ owner: string; fence: number }>(
        'SELECT owner, fence FROM homes WHERE node = $1',
        [id],
      );
      const fences = new Map(kept.rows.map(({ owner, fence }) => [owner, fence]));
      for (const [owner, { fence }] of homes) if (fences.get(owner) !== fence) lose(owner, fence);
      lease = client;
      leasedAt = performance.now();
      return id;
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  };
  await prepareDatabase(url);
  const node = await connect(null);
  const pool = new pg.Pool({ ...connectionTo(url), max: 4, query_timeout: LEASE_MS });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  /** After a restart of PostgreSQL all leases are gone at once: nobody takes a home from another before each node had the time to take its own again. */
  const isSettled = (): boolean => lease !== null && performance.now() - leasedAt >= LEASE_MS;

  const release = async (owner: string): Promise<void> => {
    const held = homes.get(owner);
    if (held === undefined) return;
    homes.delete(owner);
    await pool.query(
      'UPDATE homes SET node = NULL, was_released = true WHERE owner = $1 AND node = $2 AND fence = $3',
      [owner, node, held.fence],
    );
  };

  /** Nodes that requests were forwarded to, until they are dead. */
  const others = new Map<string, AbortController>();
  const goneOf = (there: string): AbortSignal => {
    const known = others.get(there) ?? new AbortController();
    others.set(there, known);
    return known.signal;
  };
  const watchOthers = async (): Promise<void> => {
    if (others.size === 0) return;
    const { rows } = await pool.query<{ url: string }>('SELECT url FROM nodes WHERE is_alive(id)');
    const alive = new Set(rows.map((row) => row.url));
    for (const [there, controller] of others)
      if (!alive.has(there)) {
        others.delete(there);
        controller.abort(new Error('the node that served the request is gone'));
      }
  };

  const claim = async (owner: string): Promise<Home> => {
    const { rows } = await pool.query<Claim>('SELECT * FROM claim($1, $2, $3, $4)', [owner, node, rank, isSettled()]);
    const { fence = null, url: there = null, was_released = true } = rows[0] ?? {};
    if (fence === null) {
      if (there === null)
        throw new ServiceError(
          'STORAGE_UNAVAILABLE',
          'A newer version has served you; upgrade this node, or ask again',
        );
      return { kind: 'there', url: there, gone: goneOf(there) };
    }
    homes.set(owner, { fence, idleSince: null });
    try {
      await residents?.adopt(owner, was_released);
      return { kind: 'here' };
    } catch (error) {
      residents?.lose(owner);
      await release(owner).catch(() => {});
      throw error;
    }
  };

  const find = async (owner: string): Promise<Home> => {
    if (isStopping) throw new ServiceError('SHUTTING_DOWN', 'This node is stopping; ask again');
    const known = claims.get(owner);
    if (known !== undefined) return known;
    if (homes.has(owner)) return { kind: 'here' };
    const claiming = claim(owner)
      .catch((error: unknown) => {
        if (error instanceof ServiceError) throw error;
        throw new ServiceError('STORAGE_UNAVAILABLE', 'The database can not say who serves you; ask again shortly', {
          cause: error,
        });
      })
      .finally(() => claims.delete(owner));
    claims.set(owner, claiming);
    return claiming;
  };

  /** Says that this node is alive. A connection on which nobody answers holds no lease. */
  const ping = async (): Promise<void> => {
    const client = lease;
    await client?.query('SELECT 1').catch(async (error: unknown) => {
      if (lease === client) lease = null;
      await client.end();
      throw error;
    });
  };

  /** Takes up owners that nobody is home of, and releases those that have been idle for long. */
  const sweep = async (): Promise<void> => {
    if (isStopping || !isSettled()) return;
    const { rows } = await pool.query<{ owner: string }>(HOMELESS, [Date.now(), node, [...homes.keys()]]);
    for (const { owner } of rows) await find(owner).catch(() => {});
    for (const [owner, held] of homes) {
      if (residents?.isIdle(owner) !== true) held.idleSince = null;
      else held.idleSince ??= performance.now();
      if (held.idleSince === null || performance.now() - held.idleSince < IDLE_MS) continue;
      await residents?.leave(owner, 0);
      await release(owner);
    }
  };

  return {
    find,
    owners: () => [...homes.keys()],
    start: (given) => {
      residents = given;
      every(PING_MS, ping);
      every(RETRY_MS, async () => void (lease === null && (await connect(node))));
      every(SWEEP_MS, sweep);
      every(SWEEP_MS, watchOthers);
    },
    of: (owner) => {
      const held = homes.get(owner);
      if (held !== undefined) return held.fence;
      // It came late, and has nothing to go on with here.
      residents?.lose(owner);
      throw moved();
    },
    lost: lose,
    stop: async (graceMs) => {
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.allSettled(claims.values());
      await Promise.allSettled(
        [...homes.keys()].map(async (owner) => {
          await residents?.leave(owner, graceMs);
          await release(owner);
        }),
      );
      await pool.query('DELETE FROM nodes WHERE id = $1', [node]).catch(() => {});
      await pool.end();
      await lease?.end().catch(() => {});
    },
  };
};
