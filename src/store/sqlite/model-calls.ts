import type { Database } from 'better-sqlite3';
import { type SharedText, writeShared } from '../../engine/calls/call-body.ts';
import type { CallStore, KeptCall } from '../../engine/calls/call-store.ts';
import type { storageErrors } from './storage-errors.ts';

/** The part of the largest database that may be full when a call is kept: the rest is for sessions. */
const FULL_PART = 0.9;

type Listed = Pick<KeptCall, 'effect_id' | 'at' | 'facts'> & { id: number };

/** The model calls of the embedded store, beside its sessions. */
export const createModelCalls = (db: Database, errors: ReturnType<typeof storageErrors>): CallStore => {
  const one = <Bound extends unknown[], Row>(sql: string) => db.prepare<Bound, Row>(sql);
  // A task's own owner is stored behind its view, all of whose pages would be read: 0.6 ms for the longest plan, at each of hundreds of calls.
  const taskOf = one<[string], { id: number; owner: string }>(
    `SELECT id, (SELECT owner FROM sessions WHERE id = session) AS owner FROM tasks WHERE task_id = ?`,
  );
  const insert = db.prepare(
    'INSERT INTO model_calls (task, owner, effect_id, at, facts, body, bytes, system) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const textOf = one<[string, string], { id: number }>('SELECT id FROM prompt_texts WHERE owner = ? AND hash = ?');
  const addText = db.prepare('INSERT INTO prompt_texts (owner, hash, text, bytes) VALUES (?, ?, ?, ?)');
  const countOf = one<[string], { count: number }>('SELECT count(*) AS count FROM model_calls WHERE owner = ?');
  const removeBeyond = one<[{ owner: string; kept: number }], unknown>(
    `DELETE FROM model_calls WHERE owner = @owner AND id <=
       (SELECT id FROM model_calls WHERE owner = @owner ORDER BY id DESC LIMIT 1 OFFSET @kept)`,
  );
  const list = one<[string, string, number, string | null, number], Listed>(
    `SELECT id, effect_id, at, facts FROM model_calls INDEXED BY model_calls_of_task
     WHERE task = (SELECT id FROM tasks WHERE task_id = ? AND owner = ?) AND id > ? AND effect_id = coalesce(?, effect_id) ORDER BY id LIMIT ?`,
  );
  const body = one<[number], { body: Uint8Array; system: Uint8Array | null }>(
    'SELECT body, (SELECT text FROM prompt_texts WHERE id = system) AS system FROM model_calls WHERE id = ?',
  );
  const oldest = one<[number], { id: number; at: number }>('SELECT id, at FROM model_calls ORDER BY id LIMIT ?');
  const newest = one<[], { at: number }>('SELECT at FROM model_calls WHERE id = (SELECT max(id) FROM model_calls)');
  const removeUpTo = one<[number], unknown>('DELETE FROM model_calls WHERE id <= ?');

  const hasRoom = (): boolean => {
    const [pages, free, max] = ['page_count', 'freelist_count', 'max_page_count'].map((name) =>
      Number(db.pragma(name, { simple: true })),
    ) as [number, number, number];
    return pages - free < max * FULL_PART;
  };

  const writeAll = db.transaction((calls: readonly KeptCall[], kept: number): void => {
    /** By owner and hash, as far as these calls named one: none goes before all of them are stored. */
    const ids = new Map<string, number | bigint>();
    const sharedId = (owner: string, shared: SharedText): number | bigint => {
      const key = `${owner}~${shared.hash}`;
      let id = ids.get(key) ?? textOf.get(owner, shared.hash)?.id;
      if (id === undefined) {
        const text = writeShared(shared);
        id = addText.run(owner, shared.hash, text, text.length).lastInsertRowid;
      }
      ids.set(key, id);
      return id;
    };
    const owners = new Set<string>();
    for (const { effect_id, at, facts, body: texts, system, task_id } of calls) {
      const task = taskOf.get(task_id);
      if (task === undefined) continue;
      const { id, owner } = task;
      owners.add(owner);
      insert.run(
        id,
        owner,
        effect_id,
        at,
        facts,
        texts,
        texts.length,
        system === null ? null : sharedId(owner, system),
      );
    }
    for (const owner of owners) removeBeyond.run({ owner, kept });
  });

  /** Writes without waiting for the disk: the next commit of a session, which does wait, makes it durable too. */
  const unsynced = <Result>(write: () => Result): Result => {
    db.pragma('synchronous = NORMAL');
    try {
      return write();
    } finally {
      db.pragma('synchronous = FULL');
    }
  };

  return {
    add: errors.read(async (calls, kept) => {
      if (!hasRoom()) return false;
      unsynced(() => writeAll.immediate(calls, kept));
      return true;
    }),
    list: errors.read(async ({ owner, task_id, effect_id = null, limit, after }) => {
      const rows = list.all(task_id, owner, Number(after ?? 0), effect_id, limit);
      const last = rows.at(-1);
      return {
        items: rows.map(({ id, ...row }) => ({ ...row, cursor: String(id) })),
        next: last === undefined || rows.length < limit ? null : String(last.id),
      };
    }),
    body: errors.read(async (cursor) => body.get(Number(cursor)) ?? null),
    forget: errors.read(async (before, now, limit) => {
      const old = oldest.all(limit);
      // Where the newest one is ahead, too, it is the clock that is behind.
      const until = (newest.get()?.at ?? 0) > now ? Number.POSITIVE_INFINITY : now;
      const kept = old.findIndex(({ at }) => at >= before && at <= until);
      const count = kept === -1 ? old.length : kept;
      const last = old[count - 1];
      if (last !== undefined) unsynced(() => removeUpTo.run(last.id));
      return count;
    }),
    count: errors.read(async (owner) => countOf.get(owner)!.count),
  };
};
