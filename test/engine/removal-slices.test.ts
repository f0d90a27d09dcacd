import { describe, expect, it } from 'vitest';
import { CallbackState } from '../../contracts/callback.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { backUp } from '../../src/store/sqlite/backup.ts';
import type { CommitQueue } from '../../src/store/sqlite/commit-queue.ts';
import { openStore } from '../../src/store/sqlite/database.ts';
import { countOwners } from '../../src/store/sqlite/owner-counts.ts';
import { pruneSessions } from '../../src/store/sqlite/prune.ts';
import { openReadOnly } from '../../src/store/sqlite/read-only.ts';
import { namedPlans } from '../../src/tools/planning/named-plans.ts';
import { addManyTurns, rowsLeft } from '../support/engine/long-session.ts';
import { asks, plans } from '../support/engine/model-answers.ts';
import {
  freshDataDir,
  openSqliteEngine,
  type SqliteSetup,
  type SqliteTestEngine,
} from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** Rows that one slice removes at most, with the count that some of them change, and a few besides. */
const CHANGES_MAX = 2 * 300 + 10;

const MANY = 1_200;
const STEPS = 700;
const SCOPE = { owner: 'local', session_id: 's1' };

/** Every task waits for an answer, and no callback is ever taken. */
const setup = (): Omit<SqliteSetup, 'dataDir'> => ({
  model: createScriptedModel({ plan: () => plans('Look'), thought: () => asks('Where?') }),
  postCallback: async () => new Response(null, { status: 500 }),
  webhookUrl: 'http://webhook.example/',
});

/** An engine with many rows in `s1`, of every kind that there is, and one waiting task in `s2`. */
const filled = async (more: Partial<SqliteSetup> = {}) => {
  const opened = openSqliteEngine({ ...setup(), ...more });
  const { engine, store } = opened;
  const turn = await sessionOf(engine).ask('Look', { idempotency_key: 'k1', callback_url: 'http://own.example/' });
  await sessionOf(engine, 's2').ask('Look');
  const steps = Array.from({ length: STEPS }, (_, i) => `Step ${i}`);
  await engine.workIn(SCOPE, () => namedPlans.create(SCOPE, { plan_id: 'trip', title: 'A trip', steps }, 1));
  addManyTurns(store.db, 's1', MANY);
  return { ...opened, turn };
};

/** Lets the process die after so many commits, from the removal on. */
const dieAfter = async (dataDir: string, commits: number, start: (opened: SqliteTestEngine) => unknown) => {
  const died = Promise.withResolvers<void>();
  let left = commits;
  const crashAt = (seam: string): boolean => {
    if (seam === 'after commit') left -= 1;
    if (left === 0) died.resolve();
    return left === 0;
  };
  // No callback is answered, so that no commit of one is among them.
  start(openSqliteEngine({ ...setup(), dataDir, crashAt, postCallback: () => new Promise(() => {}) }));
  await died.promise;
};

/** An engine whose first commit, the next slice of what was removed, waits until `release`. */
const opensHeld = (dataDir: string, onSessionRemoved = (_: unknown): unknown => null) => {
  const held = Promise.withResolvers<void>();
  let isFirst = true;
  const opened = openSqliteEngine({
    ...setup(),
    dataDir,
    onSessionRemoved: (key) => void onSessionRemoved(key),
    commits: (queue) => ({
      commit: async (write) => {
        const waits = isFirst;
        isFirst = false;
        if (waits) await held.promise;
        return queue.commit(write);
      },
    }),
  });
  return { ...opened, release: () => held.resolve() };
};

/** Nothing of the first session `s1` can be read, and what is counted is the others'. */
const expectGone = async (
  { engine, dataDir, store }: SqliteTestEngine,
  turn: { id: string; task_id: string | null },
) => {
  const gone = [
    engine.session('local', 's1'),
    engine.turns('local', 's1', { limit: 10 }),
    engine.tasks('local', 's1', { limit: 10 }),
    ...[turn.id, 'turn_many_1', `turn_many_${MANY}`].map((id) => engine.turn('local', id)),
    ...[turn.task_id!, 'task_many_1', `task_many_${MANY}`].flatMap((id) => [
      engine.task('local', id),
      engine.modelCalls('local', id, { limit: 10 }),
      engine.fork('local', id, { session_id: 's9' }),
    ]),
  ];
  for (const each of await Promise.allSettled(gone))
    expect(each).toMatchObject({ status: 'rejected', reason: { status: 404 } });
  const page = { limit: 10 };
  expect((await engine.sessions('local', page)).items).toMatchObject([{ session_id: 's2' }]);
  const waiting = await engine.waiting('local', ['awaiting_user', 'paused'], page);
  expect(waiting).toMatchObject({ items: [{ session_id: 's2' }], next: null });
  expect(await engine.countTasks('local', null)).toEqual([{ state: 'awaiting_user', outcome: null, count: 1 }]);
  const callbacks = await engine.callbacks({ owner: 'local', isOperator: true }, CallbackState.options, page);
  expect(callbacks.items.filter(({ session_id }) => session_id !== 's2')).toEqual([]);
  expect(await engine.usage('local')).toMatchObject({ sessions: 1, running_tasks: 0 });
  expect((await engine.usage('local')).stored_bytes).toBe(countOwners(store.db).get('local')!.stored_bytes);
  const folder = openReadOnly(dataDir);
  for (const id of [turn.task_id!, 's1', '/1', 'task_many_1']) expect(folder.traces(id)).toEqual([]);
  folder.close();
};

/** Commits that note how many rows each of their writes changed, by what counts those of all. */
const countingRows =
  (changes: number[], total: () => number) =>
  (queue: CommitQueue): CommitQueue => ({
    commit: (write) =>
      queue.commit(() => {
        const start = total();
        const result = write();
        changes.push(total() - start);
        return result;
      }),
  });

describe('A session with very many turns', () => {
  it('is removed in commits of some hundred rows, and DELETE is answered when all of them are gone', async () => {
    const { turn, ...before } = await filled();
    await before.engine.close();
    const changes: number[] = [];
    let total = (): number => 0;
    const opened = before.reopen({
      commits: countingRows(changes, () => total()),
    });
    const { engine, store } = opened;
    const changed = store.db.prepare<[], number>('SELECT total_changes()').pluck();
    total = () => changed.get()!;
    await engine.remove('local', 's1');
    expect(changes.length).toBeGreaterThan((4 * MANY + STEPS) / CHANGES_MAX);
    expect(Math.max(...changes)).toBeLessThanOrEqual(CHANGES_MAX);
    expect(rowsLeft(store.db)).toBe(0);
    for (const table of ['model_calls', 'named_plans', 'named_plan_steps'])
      expect([table, store.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]).toEqual([table, 0]);
    expect(store.db.prepare('SELECT bytes FROM named_plan_bytes').pluck().get()).toBe(0);
    expect(store.db.pragma('foreign_key_check')).toEqual([]);
    expect(await engine.usage('local')).toMatchObject({ pending_callbacks: 0, pending_webhook_events: 2 });
    await expectGone(opened, turn);
  });

  it.each([1, 2, 4, 9, 14])(
    'is gone for everybody when the process dies after %i commits, and its name and keys are free',
    async (commits) => {
      const { engine, dataDir, turn } = await filled();
      await engine.close();
      await dieAfter(dataDir, commits, (dying) => dying.engine.remove('local', 's1'));
      const opened = opensHeld(dataDir);
      expect(rowsLeft(opened.store.db)).toBeGreaterThan(1);
      await expectGone(opened, turn);

      const again = sessionOf(opened.engine);
      const keys = ['k1', 'many 1', `many ${MANY}`];
      const made = [];
      for (const idempotency_key of keys) made.push(await again.ask('/status', { idempotency_key }));
      expect((await opened.engine.turns('local', 's1', { limit: 10 })).items).toEqual(made.toReversed());
      expect(await opened.engine.workIn(SCOPE, () => namedPlans.list(SCOPE))).toEqual([]);
      const repeated = await opened.engine.submit({ ...SCOPE, input: '/status', idempotency_key: 'many 1' });
      expect(repeated).toEqual({ turn: made[1], isNew: false });
      opened.release();
      await expect.poll(() => rowsLeft(opened.store.db)).toBe(0);
      expect((await opened.engine.turns('local', 's1', { limit: 10 })).items).toEqual(made.toReversed());
      expect(opened.store.db.pragma('foreign_key_check')).toEqual([]);
      expect((await opened.engine.sessions('local', { limit: 10 })).items).toHaveLength(2);
      expect((await opened.engine.usage('local')).stored_bytes).toBe(
        countOwners(opened.store.db).get('local')!.stored_bytes,
      );
    },
  );

  it('has its folder taken away by the next process where this one died before, and no other session of its name', async () => {
    const { engine, dataDir } = await filled();
    await engine.close();
    await dieAfter(dataDir, 1, (dying) => dying.engine.remove('local', 's1'));
    const removed: unknown[] = [];
    const held = opensHeld(dataDir, (key) => removed.push(key));
    await expect.poll(() => removed).toEqual([{ owner: 'local', session_id: 's1' }]);
    const used = sessionOf(held.engine).ask('/status');
    held.release();
    await used;
    held.crash();
    removed.length = 0;
    const next = openSqliteEngine({ ...setup(), dataDir, onSessionRemoved: (key) => void removed.push(key) });
    await sessionOf(next.engine, 's3').ask('/status');
    expect(removed).toEqual([]);
  });

  it('is not in what a folder without a service shows, nor in a backup of it', async () => {
    const { engine, dataDir, turn } = await filled();
    await engine.close();
    await dieAfter(dataDir, 3, (dying) => dying.engine.remove('local', 's1'));
    const folder = openReadOnly(dataDir);
    expect(folder.traces(turn.task_id!)).toEqual([]);
    folder.close();
    const file = `${freshDataDir()}/backup.db`;
    expect(await backUp(dataDir, file)).toMatchObject({ sessions: 1, tasks: 1 });
  });
});

it('a task whose many forks were removed with it goes in commits of some hundred rows', async () => {
  const changes: number[] = [];
  let total = (): number => 0;
  const { engine, store } = openSqliteEngine({
    ...setup(),
    commits: countingRows(changes, () => total()),
  });
  await sessionOf(engine).ask('Look');
  const { db } = store;
  const count = db.prepare<[], number>('SELECT total_changes()').pluck();
  total = () => count.get()!;
  const each = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)';
  db.exec(`${each} INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) SELECT 100 + i, 'local', '/' || (100 + i), 'UTC', 1, 1 FROM n;
    INSERT INTO removed_sessions SELECT id FROM sessions WHERE id > 100;
    ${each} INSERT INTO entries (session, seq, at, machine, event, text_of) SELECT 100 + i, seq, 1, 1, '', e.id FROM n, entries e`);
  await engine.remove('local', 's1');
  expect(rowsLeft(db)).toBe(0);
  expect(db.prepare('SELECT count(*) FROM entries').pluck().get()).toBe(0);
  expect(Math.max(...changes)).toBeLessThan(CHANGES_MAX);
});

it('a session that `tripact prune` removed has its folder taken away by the next service where that was ended before', async () => {
  const model = createScriptedModel({});
  const { engine, dataDir } = openSqliteEngine({ model });
  await sessionOf(engine).ask('/status');
  await engine.close();
  const { db, close } = openStore({ dataDir });
  await pruneSessions(db, { before: Number.MAX_SAFE_INTEGER, includeWaiting: true }, false).next();
  close();
  const removed: unknown[] = [];
  const next = openSqliteEngine({ model, dataDir, onSessionRemoved: (key) => void removed.push(key) });
  await sessionOf(next.engine, 's2').ask('/status');
  expect(removed).toEqual([{ owner: 'local', session_id: 's1' }]);
});
