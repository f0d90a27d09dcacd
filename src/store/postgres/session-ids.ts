import { queryOne } from '../../lib/queries.ts';
import type { SqlDatabase } from '../sql/database.ts';

/** The first of a block of numbers for sessions, and the size of the block. */
export const NEW_SESSION_ID = "SELECT nextval('session_ids') AS id";
const BLOCK = 1_000;

/** Numbers for new sessions, taken from the database in blocks. */
export class SessionIds {
  readonly #read: SqlDatabase['read'];
  #next = 0;
  #end = 0;
  #taking: Promise<void> | undefined;

  constructor(read: SqlDatabase['read']) {
    this.#read = read;
  }

  async take(): Promise<number> {
    while (this.#next === this.#end) {
      this.#taking ??= this.#takeBlock();
      await this.#taking;
    }
    this.#next += 1;
    return this.#next - 1;
  }

  async #takeBlock(): Promise<void> {
    try {
      const row = await this.#read(() => queryOne<{ id: number }>(NEW_SESSION_ID, {}));
      this.#next = row!.id;
      this.#end = this.#next + BLOCK;
    } finally {
      this.#taking = undefined;
    }
  }
}
