import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { SqliteEngine } from '../../src/engine/sqlite/sqlite-engine.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openSqliteEngine, type SqliteTestEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf, type TestSession } from '../support/engine/test-session.ts';

/** Tasks of so many entries that some are in the index and the newest are not. */
const TASKS = 180;

const DAY_MS = 86_400_000;

const count = (db: Database, table: string): number =>
  db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

const isGapless = (session: TestSession): boolean => session.trace().every(({ seq }, i) => seq === i + 1);

/** Two sessions whose tasks take turns, one entry in the store after the other. */
const twoSessions = async (opened: SqliteTestEngine): Promise<TestSession[]> => {
  const sessions = ['s1', 's2'].map((id) => sessionOf(opened.engine, id));
  for (let task = 0; task < TASKS; task++) await Promise.all(sessions.map((session) => session.ask(`Task ${task}`)));
  return sessions;
};

it('a history reads the same from the index and from the newest entries, after a crash and after a stop', async () => {
  const opened = openSqliteEngine({ model: createScriptedModel(echo) });
  const sessions = await twoSessions(opened);
  const entries = count(opened.store.db, 'entries');
  const indexed = count(opened.store.db, 'entry_index');
  expect([indexed > 0, indexed < entries]).toEqual([true, true]);
  const traces = sessions.map((session) => session.trace());
  expect(sessions.map(isGapless)).toEqual([true, true]);
  expect(traces.map(({ length }) => length)).toEqual([entries / 2, entries / 2]);

  opened.crash();
  const second = opened.reopen();
  const [again] = ['s1'].map((id) => sessionOf(second.engine, id));
  expect(again!.trace()).toEqual(traces[0]);
  await again!.ask('One more');
  expect(isGapless(again!)).toBe(true);

  await second.engine.close();
  const third = opened.reopen();
  expect(count(third.store.db, 'entry_index')).toBe(count(third.store.db, 'entries'));
  expect(sessionOf(third.engine, 's2').trace()).toEqual(traces[1]);
});

it('a new session is whole where the entries of removed ones were', async () => {
  let now = Date.UTC(2026, 0, 1);
  const opened = openSqliteEngine({ model: createScriptedModel(echo), now: () => now });
  await twoSessions(opened);
  now += 100 * DAY_MS;
  const gone: string[] = [];
  const options = { before: now - 90 * DAY_MS, includeWaiting: false, isDryRun: false };
  for await (const batch of (opened.engine as SqliteEngine).prune(options))
    gone.push(...batch.map(({ session_id }) => session_id));
  expect(gone).toEqual(['s1', 's2']);
  const fresh = sessionOf(opened.engine, 'fresh');
  await fresh.ask('Begin');
  expect(fresh.events()).toEqual(['task.opened', 'plan.made', 'thought.made', 'replan.made']);
  expect(isGapless(fresh)).toBe(true);
});
