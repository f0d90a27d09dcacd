import type pg from 'pg';

/** How often the keys of `meta` are read, in milliseconds. */
const MARKS_MS = 1_000;

/** The keys of `meta`: those that any node has stored, after a second at most. */
export class Marks {
  readonly #pool: pg.Pool;
  readonly #known = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.#timer = setInterval(() => void this.read().catch(() => {}), MARKS_MS).unref();
  }

  async read(): Promise<void> {
    const { rows } = await this.#pool.query<{ key: string }>('SELECT key FROM meta');
    for (const { key } of rows) this.#known.add(key);
  }

  has(mark: string): boolean {
    return this.#known.has(mark);
  }

  add(mark: string): void {
    this.#known.add(mark);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
