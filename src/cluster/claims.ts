import type pg from 'pg';
import { ServiceError } from '../lib/errors.ts';
import type { HomesHere } from './homes-here.ts';
import type { Lease } from './lease.ts';
import type { OtherNodes } from './other-nodes.ts';
import type { Home, LocalNode } from './port.ts';

/** The fence of an owner's home, and the address of the node that is the home, if it is another, living one. */
const LOOK = `
  SELECT h.fence, n.url FROM homes h LEFT JOIN nodes n ON n.id = h.node AND n.id <> $2 AND is_alive(n.id)
  WHERE h.owner = $1`;

const RELEASE = 'UPDATE homes SET node = NULL, was_released = true WHERE owner = $1 AND node = $2 AND fence = $3';

interface Claim {
  fence: number | null;
  url: string | null;
  was_released: boolean;
}

export interface ClaimsParts {
  pool: pg.Pool;
  lease: Lease;
  /** The version of this node's machine. */
  rank: number;
  here: HomesHere;
  others: OtherNodes;
}

/** Whether owners may be claimed: not before the node serves, and not once it stops. */
type Life = 'opening' | 'serving' | 'stopping';

const HERE: Home = { kind: 'here' };

/**
 * Claims owners for this node in the database, and releases them. Only one claim of an owner is pending at a time.
 * Rejects with `SHUTTING_DOWN` unless the node serves.
 */
export class Claims implements LocalNode {
  readonly #parts: ClaimsParts;
  #life: Life = 'opening';
  /** Pending claims by owner: an unfinished claim is not a home yet. */
  readonly #pending = new Map<string, Promise<Home>>();

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
  }

  get isStopping(): boolean {
    return this.#life === 'stopping';
  }

  serve(): void {
    this.#life = 'serving';
  }

  /** Claims nothing more. */
  stop(): void {
    this.#life = 'stopping';
  }

  /** Resolves once no claim is pending. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending.values());
  }

  async claim(owner: string): Promise<Home> {
    const known = this.#known(owner);
    if (known !== undefined) return known;
    const claiming = this.#take(owner).finally(() => this.#pending.delete(owner));
    this.#pending.set(owner, claiming);
    return claiming;
  }

  async look(owner: string): Promise<Home | number> {
    const known = await this.#known(owner);
    if (known !== undefined) return known;
    const { pool, lease, others } = this.#parts;
    const { rows } = await pool.query<{ fence: number; url: string | null }>(LOOK, [owner, lease.node]);
    const { fence = 0, url = null } = rows[0] ?? {};
    return url === null ? fence : others.at(url);
  }

  homeEnded(owner: string): Promise<void> {
    return this.#parts.here.over(owner);
  }

  /** Gives the owner's home up once its work has reached a commit, for which it gets `graceMs` at most. */
  async release(owner: string, graceMs: number): Promise<void> {
    await this.#parts.here.release(owner, graceMs);
    await this.#giveUp(owner);
  }

  /** The home of an owner who is at home here, or is being claimed. */
  #known(owner: string): Promise<Home> | Home | undefined {
    if (this.#life !== 'serving') throw new ServiceError('SHUTTING_DOWN', 'This node is stopping; try again');
    return this.#pending.get(owner) ?? (this.#parts.here.has(owner) ? HERE : undefined);
  }

  async #take(owner: string): Promise<Home> {
    const { pool, lease, rank, others } = this.#parts;
    const values = [owner, lease.node, rank, lease.isSettled()];
    const { rows } = await pool.query<Claim>('SELECT * FROM claim($1, $2, $3, $4)', values);
    const { fence = null, url = null, was_released = true } = rows[0] ?? {};
    if (fence !== null) return this.#serve(owner, fence, was_released);
    if (url !== null) return others.at(url);
    throw new ServiceError('STORAGE_UNAVAILABLE', 'A newer version has served you; upgrade this node, or try again');
  }

  async #serve(owner: string, fence: number, wasReleased: boolean): Promise<Home> {
    const { here } = this.#parts;
    try {
      await here.add(owner, fence, wasReleased);
      return HERE;
    } catch (error) {
      here.drop(owner);
      await this.#giveUp(owner).catch(() => {});
      throw error;
    }
  }

  #giveUp(owner: string): Promise<void> {
    const { pool, lease, here } = this.#parts;
    return here.remove(owner, (fence) => pool.query(RELEASE, [owner, lease.node, fence]));
  }
}
