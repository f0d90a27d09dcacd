import pg from 'pg';
import type { Logger } from 'pino';
import { ServiceError } from '../lib/errors.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { type Fences, SERVICE_HOME } from '../store/port.ts';
import { connectionTo } from '../store/postgres/connection.ts';
import { SOURCES } from '../store/sql/due.ts';
import { LEASE_MS, type LeaseParts, openLease } from './lease.ts';
import type { Home, Homes, LocalNode, Residents } from './port.ts';
import type { RestateSettings } from './restate.ts';

/** How often a node reports that it is alive, in milliseconds. */
const PING_MS = 1_250;

/** How often a node looks for owners without a home, in milliseconds. Jitter keeps nodes apart. */
const SWEEP_MS = 500;

/** Most owners taken up by one sweep. */
const SWEPT_MAX = 64;

/** How long an owner with nothing open stays at home, in milliseconds. */
const IDLE_MS = 60_000;

/** How soon a lost lease is requested again, in milliseconds. */
const RETRY_MS = 250;

/**
 * Owners with work and no living home, or whose home is this node without its knowledge, because the answer to its
 * claim was lost.
 */
const HOMELESS = `
  SELECT owner FROM (
    SELECT owner FROM tasks WHERE state = 'running'
    UNION SELECT owner FROM turns WHERE finished_at IS NULL
    ${SOURCES.map(({ table, at }) => `UNION SELECT owner FROM ${table} WHERE ${at} <= $1`).join(' ')}
    UNION SELECT reader FROM outbox WHERE due_at <= $1
    UNION SELECT '${SERVICE_HOME}') AS work
  WHERE NOT EXISTS (
    SELECT 1 FROM homes h WHERE h.owner = work.owner AND is_alive(h.node) AND (h.node <> $2 OR h.owner = ANY($3)))
  LIMIT ${SWEPT_MAX}`;

/** The fence of an owner's home, and the address of the node that is the home, if it is another, living one. */
const LOOK = `
  SELECT h.fence, n.url FROM homes h LEFT JOIN nodes n ON n.id = h.node AND n.id <> $2 AND is_alive(n.id)
  WHERE h.owner = $1`;

export interface HomesParts extends Pick<LeaseParts, 'url' | 'nodeUrl' | 'rank'> {
  /**
   * The Restate service that assigns homes; null: the node that an owner's request or a sweep reaches takes them, by
   * its lease.
   */
  restate: RestateSettings | null;
  log: Logger;
}

interface Claim {
  fence: number | null;
  url: string | null;
  was_released: boolean;
}

/** A home on this node. */
interface Held {
  fence: number;
  /** Since when it has been idle, by `performance.now()`; null: it is not. */
  idleSince: number | null;
  /** Resolves once it is no longer a home, or the lease was lost. */
  over: PromiseWithResolvers<void>;
}

const HERE: Home = { kind: 'here' };

const moved = (): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', 'Another node serves your data from now on; try again');

/**
 * Opens the homes of a node, assigned by its lease or by Restate. Writes no owner's data: a commit with an old fence is
 * refused.
 */
export const openHomes = async ({ url, nodeUrl, rank, restate, log }: HomesParts): Promise<Homes & Fences> => {
  const homes = new Map<string, Held>();
  /** Pending claims by owner: an unfinished claim is not a home yet. */
  const claims = new Map<string, Promise<Home>>();
  let residents: Residents | undefined;
  let isStopping = false;
  /** Where a stopping node sends the requests of owners who have left it. */
  let successor: string | undefined;
  const timers = new Set<NodeJS.Timeout>();

  const every = (ms: number, work: () => Promise<void>): void => {
    const again = (): void => {
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          work()
            .catch((error: unknown) => log.debug({ err: error }, 'homes cannot be maintained; trying again'))
            .finally(() => isStopping || again());
        },
        ms * (0.75 + Math.random() / 2),
      ).unref();
      timers.add(timer);
    };
    again();
  };

  const lose = (owner: string, fence: number): void => {
    const held = homes.get(owner);
    if (held?.fence !== fence) return;
    homes.delete(owner);
    held.over.resolve();
    log.warn({ owner }, 'another node is the home of an owner; its work here is dropped');
    residents?.lose(owner);
  };

  const lease = await openLease({
    url,
    nodeUrl,
    rank,
    scheduler: restate === null ? 'leases' : 'restate',
    onTaken: (fences) => {
      for (const [owner, { fence }] of homes) if (fences.get(owner) !== fence) lose(owner, fence);
    },
    onLost: () => {
      for (const { over } of homes.values()) over.resolve();
    },
  });
  const { node } = lease;
  const pool = new pg.Pool({ ...connectionTo(url), max: 4, query_timeout: LEASE_MS });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  const close = async (): Promise<void> => {
    await pool.query('DELETE FROM nodes WHERE id = $1', [node]).catch(() => {});
    await pool.end();
    await lease.close();
  };

  const release = async (owner: string): Promise<void> => {
    const held = homes.get(owner);
    if (held === undefined) return;
    homes.delete(owner);
    const sql = 'UPDATE homes SET node = NULL, was_released = true WHERE owner = $1 AND node = $2 AND fence = $3';
    await pool.query(sql, [owner, node, held.fence]).finally(held.over.resolve);
  };

  /** Nodes that requests were forwarded to, until they are dead or unreachable. */
  const others = new Map<string, AbortController>();
  const at = (url: string): Home => {
    const known = others.get(url) ?? new AbortController();
    others.set(url, known);
    return { kind: 'there', url, gone: known.signal };
  };
  /** Any answer will do: a network that drops packets reports nothing for a quarter of an hour. */
  const answers = async (there: string): Promise<boolean> => {
    try {
      const response = await fetch(`${there}/healthz`, { signal: AbortSignal.timeout(LEASE_MS) });
      await response.body?.cancel();
      return true;
    } catch {
      return false;
    }
  };
  const watchOthers = async (): Promise<void> => {
    if (others.size === 0) return;
    const { rows } = await pool.query<{ url: string }>('SELECT url FROM nodes WHERE is_alive(id)');
    const alive = new Set(rows.map((row) => row.url));
    const watch = async ([there, controller]: [string, AbortController]): Promise<void> => {
      if (alive.has(there) && (await answers(there))) return;
      others.delete(there);
      controller.abort(new Error('the node that served the request is gone'));
    };
    await Promise.all([...others].map(watch));
  };

  const take = async (owner: string): Promise<Home> => {
    const { rows } = await pool.query<Claim>('SELECT * FROM claim($1, $2, $3, $4)', [
      owner,
      node,
      rank,
      lease.isSettled(),
    ]);
    const { fence = null, url: there = null, was_released = true } = rows[0] ?? {};
    if (fence === null) {
      if (there !== null) return at(there);
      throw new ServiceError('STORAGE_UNAVAILABLE', 'A newer version has served you; upgrade this node, or try again');
    }
    homes.set(owner, { fence, idleSince: null, over: Promise.withResolvers() });
    try {
      await residents?.adopt(owner, was_released);
      return HERE;
    } catch (error) {
      residents?.lose(owner);
      await release(owner).catch(() => {});
      throw error;
    }
  };

  /** The home of an owner who is at home here, or is being claimed. */
  const known = (owner: string): Promise<Home> | Home | undefined => {
    if (isStopping || residents === undefined)
      throw new ServiceError('SHUTTING_DOWN', 'This node is stopping; try again');
    return claims.get(owner) ?? (homes.has(owner) ? HERE : undefined);
  };

  const local: LocalNode = {
    claim: async (owner) => {
      const found = known(owner);
      if (found !== undefined) return found;
      const claiming = take(owner).finally(() => claims.delete(owner));
      claims.set(owner, claiming);
      return claiming;
    },
    look: async (owner) => {
      const found = await known(owner);
      if (found !== undefined) return found;
      const { rows } = await pool.query<{ fence: number; url: string | null }>(LOOK, [owner, node]);
      const { fence = 0, url: there = null } = rows[0] ?? {};
      return there === null ? fence : at(there);
    },
    left: async (owner) => homes.get(owner)?.over.promise,
  };
  const open = async () => restate && (await import('./restate.ts')).openRestate(restate, local, log);
  const opened = await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const isWorthALine = onceAMinute();

  const find = async (owner: string): Promise<Home> => {
    if (successor !== undefined) {
      await homes.get(owner)?.over.promise;
      return at(successor);
    }
    try {
      return await (opened?.find ?? local.claim)(owner);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if (isWorthALine()) log.error({ err: error }, 'homes of owners cannot be found; requests get 503 meanwhile');
      throw new ServiceError('STORAGE_UNAVAILABLE', 'The node that serves you is not known now; try again shortly', {
        cause: error,
      });
    }
  };

  /** Takes up owners without a home, and releases those that have been idle for long. */
  const sweep = async (): Promise<void> => {
    if (isStopping || !lease.isSettled()) return;
    const { rows } = await pool.query<{ owner: string }>(HOMELESS, [Date.now(), node, [...homes.keys()]]);
    await Promise.allSettled(rows.map(({ owner }) => find(owner)));
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
      every(PING_MS, lease.ping);
      every(RETRY_MS, lease.retake);
      every(SWEEP_MS, sweep);
      every(SWEEP_MS, watchOthers);
    },
    of: (owner) => {
      const held = homes.get(owner);
      if (held !== undefined) return held.fence;
      // It came too late, and must not continue here.
      residents?.lose(owner);
      throw moved();
    },
    lost: lose,
    stop: async (graceMs) => {
      const another = 'SELECT url FROM nodes WHERE id <> $1 AND rank >= $2 AND is_alive(id) ORDER BY id DESC LIMIT 1';
      const { rows } = await pool.query<{ url: string }>(another, [node, rank]).catch(() => ({ rows: [] }));
      successor = rows[0]?.url;
      isStopping = true;
      for (const timer of timers) clearTimeout(timer);
      opened?.stop();
      await Promise.allSettled(claims.values());
      await Promise.allSettled(
        [...homes.keys()].map(async (owner) => {
          await residents?.leave(owner, graceMs);
          await release(owner);
        }),
      );
      await close();
    },
  };
};
