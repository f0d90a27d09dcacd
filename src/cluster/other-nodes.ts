import type pg from 'pg';
import { LEASE_MS } from './lease.ts';
import type { Home } from './port.ts';

/** Any answer will do: a network that drops packets reports nothing for a quarter of an hour. */
const answers = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LEASE_MS) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
};

/** Nodes that requests were forwarded to, until they are dead or unreachable. Never forwards anything itself. */
export class OtherNodes {
  readonly #pool: pg.Pool;
  readonly #gone = new Map<string, AbortController>();

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** A home at another node's address. */
  at(url: string): Home {
    const gone = this.#gone.get(url) ?? new AbortController();
    this.#gone.set(url, gone);
    return { kind: 'there', url, gone: gone.signal };
  }

  /** Looks once whether each of them is alive and answers, and reports those that are gone by their signals. */
  async watch(): Promise<void> {
    if (this.#gone.size === 0) return;
    const { rows } = await this.#pool.query<{ url: string }>('SELECT url FROM nodes WHERE is_alive(id)');
    const alive = new Set(rows.map(({ url }) => url));
    const watchOne = async ([url, gone]: [string, AbortController]): Promise<void> => {
      if (alive.has(url) && (await answers(url))) return;
      this.#gone.delete(url);
      gone.abort(new Error('the node that served the request is gone'));
    };
    await Promise.all([...this.#gone].map(watchOne));
  }
}
