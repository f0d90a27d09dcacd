import { effectId } from '../../../contracts/ids.ts';
import type { CallUsage } from '../../../contracts/usage.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Page } from '../../lib/page.ts';
import { execute, isOf, type Queries, query, queryOne } from '../../lib/queries.ts';
import { type KeptCall, type ListedCall, type SharedText, writeShared } from '../call-body.ts';
import type { KeptCalls } from '../port.ts';
import type { SqlDatabase } from './database.ts';
import { pack, unpack } from './frames.ts';
import { pageOf } from './pages.ts';

/** The share of the largest database size above which no calls are stored: the rest is for sessions. */
const FULL_PART = 0.9;

const FACTS = 'contract, model, duration_ms, outcome, fault, usage, prompt_chars, answer_chars, structured_output';

const TEXTS = 'body, (SELECT text FROM prompt_texts t WHERE {t.owner = c.owner AND} t.id = c.system) AS system';
const NO_TEXTS = 'NULL AS body, NULL AS system';

/** The number of a task's effect, by its id; 0 if the id is not the task's. */
const numberIn = (taskId: string, id: string): number => {
  const number = Number(id.slice(taskId.length + 1));
  return effectId(taskId, number) === id ? number : 0;
};

function* addText(owner: string, shared: SharedText): Queries<number> {
  const added = yield* queryOne<{ id: number }>(
    'INSERT INTO prompt_texts (owner, hash, text) VALUES (@owner, @hash, @text) RETURNING id',
    { owner, hash: shared.hash, text: writeShared(shared) },
  );
  return added!.id;
}

/** Removes shared texts that no call uses any more; `owner` null: of all owners. */
export function* forgetUnusedTexts(owner: string | null): Queries<void> {
  yield* execute(
    `DELETE FROM prompt_texts WHERE ${isOf(owner)}
       AND NOT EXISTS (SELECT 1 FROM model_calls c WHERE {c.owner = prompt_texts.owner AND} c.system = prompt_texts.id)`,
    { owner },
  );
}

/** Stores calls, and removes each owner's oldest beyond the limit. Skips calls of removed tasks. */
function* storeCalls(calls: readonly KeptCall[], kept: number): Queries<void> {
  const found = yield* query<{ id: number; owner: string; task_id: string }>(
    'SELECT id, owner, task_id FROM tasks WHERE task_id IN (SELECT value FROM json_each(@ids))',
    { ids: JSON.stringify(calls.map(({ task_id }) => task_id)) },
  );
  const tasks = new Map(found.map((task) => [task.task_id, task]));
  const owners = [...new Set(found.map(({ owner }) => owner))];
  const shared = yield* query<{ id: number; owner: string; hash: string }>(
    `SELECT id, owner, hash FROM prompt_texts WHERE owner IN (SELECT value FROM json_each(@owners))
       AND hash IN (SELECT value FROM json_each(@hashes))`,
    { owners: JSON.stringify(owners), hashes: JSON.stringify(calls.flatMap(({ system }) => system?.hash ?? [])) },
  );
  const texts = new Map(shared.map(({ id, owner, hash }) => [`${owner} ${hash}`, id]));
  for (const { task_id, effect_id, system, usage, structured_output, ...call } of calls) {
    const task = tasks.get(task_id);
    if (task === undefined) continue;
    const { owner } = task;
    const text = system === null ? null : (texts.get(`${owner} ${system.hash}`) ?? (yield* addText(owner, system)));
    if (text !== null) texts.set(`${owner} ${system!.hash}`, text);
    yield* execute(
      `INSERT INTO model_calls (task, owner, effect, at, ${FACTS}, body, system)
       VALUES (@task, @owner, @effect, @at, @contract, @model, @duration_ms, @outcome, @fault, @usage, @prompt_chars, @answer_chars,
         @structured_output, @body, @text)`,
      {
        ...call,
        task: task.id,
        owner,
        effect: numberIn(task_id, effect_id),
        text,
        body: typeof call.body === 'string' ? Buffer.from(pack(call.body)) : call.body,
        usage: usage && pack(JSON.stringify(usage)),
        structured_output: Number(structured_output),
      },
    );
  }
  const last = yield* queryOne<{ id: number | null }>('SELECT max(id) AS id FROM model_calls', {});
  // The oldest are only searched for now and then, as that reads as many index rows as are stored.
  const isTrimmed = (last?.id ?? 0) % Math.ceil(kept / 100) < calls.length;
  for (const owner of isTrimmed ? owners : [])
    yield* execute(
      `DELETE FROM model_calls WHERE owner = @owner AND id <= (
         SELECT id FROM model_calls WHERE owner = @owner ORDER BY id DESC LIMIT 1 OFFSET @kept)`,
      { owner, kept },
    );
}

function* forgetCalls(before: number, limit: number): Queries<number> {
  const removed = yield* query(
    `DELETE FROM model_calls WHERE id IN (SELECT id FROM model_calls ORDER BY id LIMIT @limit) AND at < @before RETURNING id`,
    { before, limit },
  );
  if (removed.length > 0) yield* forgetUnusedTexts(null);
  return removed.length;
}

/** The first byte of zlib's output; plain bodies begin with another character. */
const ZLIB_START = 0x78;

const isPlain = ([first]: Uint8Array): boolean => first !== ZLIB_START;

interface Row extends Omit<ListedCall, 'effect_id' | 'started_at' | 'usage' | 'structured_output' | 'body'> {
  cursor: number;
  effect: number;
  at: number;
  body: Uint8Array | null;
  usage: string | null;
  structured_output: number;
}

/** Creates the store of model calls. */
export const createCallStore = (db: SqlDatabase): KeptCalls => ({
  add: async (calls, kept) => {
    const { used, max } = await db.size();
    if (used >= max * FULL_PART) return false;
    await db.write(null, () => storeCalls(calls, kept), 'beside');
    return true;
  },
  list: ({ owner, task_id, effect_id, limit, after = '0' }) =>
    db.read(function* (): Queries<Page<ListedCall>> {
      const effect = effect_id === undefined ? null : numberIn(task_id, effect_id);
      const rows = yield* query<Row>(
        `SELECT id AS cursor, effect, at, ${FACTS}, ${effect === null ? NO_TEXTS : TEXTS} FROM model_calls c
         WHERE {owner = @owner AND} task = (SELECT id FROM tasks WHERE task_id = @task_id AND owner = @owner)
           AND id > @after AND effect = coalesce(@effect, effect) ORDER BY +id LIMIT @limit`,
        { owner, task_id, effect, after: Number(after), limit },
      );
      return pageOf(rows, limit, ({ effect: number, at, usage, structured_output, body, ...row }) => ({
        ...row,
        effect_id: effectId(task_id, number),
        started_at: iso(at),
        usage: usage === null ? null : (JSON.parse(unpack(usage)) as CallUsage),
        structured_output: structured_output === 1,
        body: body && isPlain(body) ? unpack(Buffer.from(body).toString()) : body,
      }));
    }),
  forget: (before, limit) => db.write(null, () => forgetCalls(before, limit)),
  count: (owner) =>
    db.read(function* () {
      const row = yield* queryOne<{ count: number }>('SELECT count(*) AS count FROM model_calls WHERE owner = @owner', {
        owner,
      });
      return row!.count;
    }),
});
