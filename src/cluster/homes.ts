import pg from 'pg';
import type { Logger } from 'pino';
import { ServiceError } from '../lib/errors.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { type Fences, SERVICE_HOME } from '../store/port.ts';
import { connectionTo } from '../store/postgres/connection.ts';
import { SOURCES } from '../store/sql/due.ts';
import { Claims } from './claims.ts';
import { HomesHere } from './homes-here.ts';
import { LEASE_MS, type Lease, type LeaseParts, openLease } from './lease.ts';
import { OtherNodes } from './other-nodes.ts';
import type { Home, Homes, ServedOwners } from './port.ts';
import type { Restate, RestateSettings } from './restate.ts';
import { Rounds } from './rounds.ts';

/** How often a node reports that it is alive, in milliseconds. */
const PING_MS = 1_250;

/** How often a node looks for owners without a home, in milliseconds. */
const SWEEP_MS = 500;

/** Most owners whose home one sweep makes this node. */
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

/** The address of the newest living node that may serve a node's owners after it. */
const SUCCESSOR = 'SELECT url FROM nodes WHERE id <> $1 AND rank >= $2 AND is_alive(id) ORDER BY id DESC LIMIT 1';

export interface HomesParts extends Pick<LeaseParts, 'url' | 'nodeUrl' | 'rank'> {
  /**
   * The Restate service that assigns homes; null: the node that an owner's request or a sweep reaches takes them, by
   * its lease.
   */
  restate: RestateSettings | null;
  log: Logger;
}

const servedElsewhere = (): ServiceError =>
  new ServiceError('STORAGE_UNAVAILABLE', 'Another node serves your data from now on; try again');

const openPool = (url: string): pg.Pool => {
  const pool = new pg.Pool({ ...connectionTo(url), max: 4, query_timeout: LEASE_MS });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/** Removes the node from the database, and ends its connections. */
const closeNode = async (pool: pg.Pool, lease: Lease): Promise<void> => {
  await pool.query('DELETE FROM nodes WHERE id = $1', [lease.node]).catch(() => {});
  await pool.end();
  await lease.close();
};

interface NodeParts {
  pool: pg.Pool;
  lease: Lease;
  /** The version of this node's machine. */
  rank: number;
  here: HomesHere;
  others: OtherNodes;
  claims: Claims;
  restate: Restate | null;
  log: Logger;
}

class NodeHomes implements Homes, Fences {
  readonly #parts: NodeParts;
  readonly #rounds: Rounds;
  readonly #isWorthALine = onceAMinute();
  /** Where a stopping node sends the requests of owners who have left it; null: there is none. */
  #successor: string | null = null;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    const failed = (err: unknown): void => parts.log.debug({ err }, 'homes cannot be maintained; trying again');
    this.#rounds = new Rounds(failed);
  }

  start(served: ServedOwners): void {
    const { here, claims, lease, others } = this.#parts;
    here.start(served);
    claims.serve();
    this.#rounds.every(PING_MS, lease.ping);
    this.#rounds.every(RETRY_MS, lease.retake);
    this.#rounds.every(SWEEP_MS, () => this.#sweep());
    this.#rounds.every(SWEEP_MS, () => others.watch());
  }

  owners(): string[] {
    return this.#parts.here.owners();
  }

  async find(owner: string): Promise<Home> {
    if (this.#successor !== null) return this.#afterwards(owner, this.#successor);
    const { restate, claims, log } = this.#parts;
    try {
      return await (restate === null ? claims.claim(owner) : restate.find(owner));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      if (this.#isWorthALine())
        log.error({ err: cause }, 'homes of owners cannot be found; requests get 503 meanwhile');
      const message = 'The node that serves you is not known now; try again shortly';
      throw new ServiceError('STORAGE_UNAVAILABLE', message, { cause });
    }
  }

  of(owner: string): number {
    const { here } = this.#parts;
    const fence = here.fenceOf(owner);
    if (fence !== null) return fence;
    // It came too late, and must not continue here.
    here.drop(owner);
    throw servedElsewhere();
  }

  lost(owner: string, fence: number): void {
    this.#parts.here.lose(owner, fence);
  }

  async stop(graceMs: number): Promise<void> {
    const { pool, lease, claims, restate } = this.#parts;
    this.#successor = await this.#findSuccessor();
    claims.stop();
    this.#rounds.stop();
    restate?.stop();
    await claims.settled();
    await Promise.allSettled(this.owners().map((owner) => claims.release(owner, graceMs)));
    await closeNode(pool, lease);
  }

  /** The home of an owner once this node, which stops, has released it. */
  async #afterwards(owner: string, successor: string): Promise<Home> {
    await this.#parts.here.over(owner);
    return this.#parts.others.at(successor);
  }

  async #findSuccessor(): Promise<string | null> {
    const { pool, lease, rank } = this.#parts;
    const { rows } = await pool.query<{ url: string }>(SUCCESSOR, [lease.node, rank]).catch(() => ({ rows: [] }));
    return rows[0]?.url ?? null;
  }

  /** Takes up owners without a home, and releases those that have been idle for long. */
  async #sweep(): Promise<void> {
    const { pool, lease, here, claims } = this.#parts;
    if (claims.isStopping || !lease.isSettled()) return;
    const { rows } = await pool.query<{ owner: string }>(HOMELESS, [Date.now(), lease.node, here.owners()]);
    await Promise.allSettled(rows.map(({ owner }) => this.find(owner)));
    for (const owner of here.owners()) if (here.isIdleFor(owner, IDLE_MS)) await claims.release(owner, 0);
  }
}

/**
 * Opens the homes of a node, assigned by its lease or by Restate. Writes no owner's data: a commit with an old fence is
 * refused.
 */
export const openHomes = async ({ url, nodeUrl, rank, restate, log }: HomesParts): Promise<Homes & Fences> => {
  const here = new HomesHere(log);
  const lease = await openLease({
    url,
    nodeUrl,
    rank,
    scheduler: restate === null ? 'leases' : 'restate',
    onTaken: (fences) => here.loseAllBut(fences),
    onLost: () => here.endAll(),
  });
  const pool = openPool(url);
  const others = new OtherNodes(pool);
  const claims = new Claims({ pool, lease, rank, here, others });
  const open = async () => restate && (await import('./restate.ts')).openRestate(restate, claims, log);
  const opened = await open().catch(async (error: unknown) => {
    await closeNode(pool, lease);
    throw error;
  });
  return new NodeHomes({ pool, lease, rank, here, others, claims, restate: opened, log });
};
