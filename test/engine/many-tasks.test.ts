import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asks, plans } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const PAUSED = 90_000;

/** What `work` gives, and the turns of the event loop that it took. */
const inTurns = async <Result>(work: Promise<Result>): Promise<{ result: Result; turns: number }> => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await work;
  isOver = true;
  return { result, turns };
};

/** Adds so many paused tasks to the session s1. */
const addPaused = (db: Database, count: number): void =>
  void db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO tasks (task_id, session, owner, state, first_seq, touched_at_seq, view, waiting_since)
    SELECT 'task_many_' || i, (SELECT id FROM sessions WHERE session_id = 's1'), 'local', 'paused', i, i, '{}', i FROM n`);

it('counts and looks through tens of thousands of tasks over turns of the event loop', async () => {
  const { engine, store } = openSqliteEngine({
    model: createScriptedModel({ plan: () => plans('Look'), thought: () => asks('Where?') }),
  });
  const waits = await sessionOf(engine, 's2').ask('Look');
  await sessionOf(engine).ask('Look');
  addPaused(store.db, PAUSED);

  const counted = await inTurns(engine.countTasks('local', null));
  expect(counted.result).toEqual([
    { state: 'awaiting_user', outcome: null, count: 2 },
    { state: 'paused', outcome: null, count: PAUSED },
  ]);
  expect(counted.turns).toBeGreaterThan(1);
  expect(await engine.countTasks('local', 's1')).toEqual([
    { state: 'awaiting_user', outcome: null, count: 1 },
    { state: 'paused', outcome: null, count: PAUSED },
  ]);

  const found = await inTurns(engine.waiting('local', ['awaiting_user'], { limit: 1 }));
  expect(found.result).toMatchObject({ items: [{ task: { id: waits.task_id } }] });
  expect(found.turns).toBeGreaterThan(1);
  const { items } = await engine.waiting('local', ['awaiting_user'], { limit: 1, after: found.result.next! });
  expect(items).toMatchObject([{ session_id: 's1' }]);
});

it.each(['counts', 'looks for'])(
  'of a store that is closed while it %s many tasks says that the service has stopped',
  async (what) => {
    const model = createScriptedModel({ plan: () => plans('Look'), thought: () => asks('Where?') });
    const { engine, store } = openSqliteEngine({ model });
    await sessionOf(engine).ask('Look');
    addPaused(store.db, PAUSED);
    const read =
      what === 'counts' ? engine.countTasks('local', null) : engine.waiting('local', ['awaiting_user'], { limit: 5 });
    store.db.close();
    await expect(read).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  },
);
