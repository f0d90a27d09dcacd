import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { CallbackState } from '../../contracts/callback.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { Store } from '../../src/store/port.ts';
import { dueStore } from '../../src/store/sql/due.ts';
import { createAdmin } from '../../src/store/sqlite/admin.ts';
import { DATABASE_FILE } from '../../src/store/sqlite/open.ts';
import { createStatementRunner } from '../../src/store/sqlite/run-statements.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import { reminderStore } from '../../src/tools/reminders.ts';
import { goalStore } from '../../src/tools/schedule/goals.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { answered, someone, tell } from '../tools/owner-database.ts';

/** Statements that may go through a whole table or index, or sort what they find, and why. */
const EXCEPTIONS: [why: string, RegExp][] = [
  ['a start, the newest alone', / FROM entries WHERE task IS NOT NULL ORDER BY id DESC LIMIT 2000/],
  ['a start', /^SELECT owner, session_id FROM sessions WHERE .* UNION ALL SELECT session FROM turns/],
  ['a start', /^SELECT reader, min\(due_at\) AS due_at FROM outbox/],
  [
    'what is pending, for a scrape of the metrics',
    /^SELECT \(SELECT count\(\*\) FROM outbox WHERE due_at IS NOT NULL \)/,
  ],
  ['a start, what was removed since the last one', /FROM removed_sessions/],
  ['the first of a table in its order', /FROM model_calls ORDER BY id LIMIT/],
  ['texts that many calls share', /^DELETE FROM prompt_texts WHERE true AND NOT EXISTS/],
  ['a small table', /sqlite_schema|FROM access_keys/],
  ['a session has few such tasks', /t\.state IN \('(running', 'awaiting_user|paused)'\) ORDER BY \+t\.touched_at_seq/],
  ['turns that wait in the sessions of a page', /^SELECT session, turn_id, input, created_at FROM turns/],
  ['the words of a search', /json_each\(.*\) AS w/],
  ['calls of one task', /^SELECT id AS cursor, effect, at, .* FROM model_calls/],
  ['tags of one todo', /^SELECT id, text, .* FROM todos WHERE owner = \S+ NULL\) AND id = /],
  ['todos of one owner', /\btotal FROM todos JOIN \(SELECT id AS listed/],
  ['reminders of the todos of a page', /^SELECT \* FROM reminders .* json_each\(.*\) wanted\) ORDER BY id$/],
  [
    'as many that are due as are looked at',
    /^SELECT owner, session_id FROM \(SELECT \* FROM \(SELECT owner, session_id .* LIMIT 1000\)/,
  ],
  ['tasks of one owner, for agents that list them', / FROM tasks t JOIN entries e /],
  ['named plans of one session', /^SELECT id, plan_id, .* LEFT JOIN named_plan_steps steps .* GROUP BY p\.id/],
  ['actions that wait for an approver, or for all of them', /FROM approvals a JOIN tasks t /],
  ['a command line', /^SELECT count\(\*\) FROM (sessions|tasks)/],
];

/** Sources of a plan that are no table: tables made of a value, and results of another part of the statement. */
const NO_TABLE = /^SCAN (CONSTANT ROW|\(subquery|page\b|ordered\b|given\b)|VIRTUAL TABLE/;

/** The texts of all statements that are prepared until the test ends, on one line each. */
const recordStatements = (): Set<string> => {
  const prepared = new Set<string>();
  const { prototype } = Database;
  const { prepare } = prototype;
  prototype.prepare = function (this: Database.Database, sql: string) {
    prepared.add(sql.replace(/\s+/g, ' ').trim());
    return prepare.call(this, sql);
  } as typeof prepare;
  onTestFinished(() => {
    prototype.prepare = prepare;
  });
  return prepared;
};

const TODO_VIEWS = ['all', 'today', 'overdue', 'upcoming', 'inbox'].flatMap((view) =>
  ['', ' --tag a'].map((tag) => `list --view ${view}${tag}`),
);
const TODOS = [
  'add one --tag a --remind 2030-01-01',
  'add two',
  'update 1 uno',
  'update 1 --remind none',
  'list',
  'list --tag a',
  ...TODO_VIEWS,
];
const TODO_REST = ['search one', 'search one uno', 'get 1', 'done 1', 'delete 1'];
const SCHEDULE = [
  'add "2030-01-01 09:00" x',
  'add "every monday 9am" y',
  'list',
  'get 1',
  'view month',
  'update 1 "2030-02-01 09:00" z',
  'repeat 2 off',
  'delete 1',
  'goal "2030-01-01 09:00" x',
  'goals',
  'goals delete 1',
];
const PLANS = [
  { command: 'create', plan_id: 'a', title: 'A', steps: ['x', 'y'] },
  { command: 'list' },
  { command: 'get' },
  { command: 'get', plan_id: 'a' },
  { command: 'mark_step', plan_id: 'a', step_index: 0, step_status: 'completed' },
  { command: 'update', plan_id: 'a', steps: ['y'] },
  { command: 'set_active', plan_id: 'a' },
  { command: 'delete', plan_id: 'a' },
].map((input) => JSON.stringify(input));

/** Runs every query of the store. */
const askAll = async (store: Store, task_id: string): Promise<void> => {
  const owner = 'local';
  const key = { owner, session_id: 's1' };
  const { access, calls } = store;
  await store.load(key, 'UTC', 0);
  await store.turn(owner, 'key', 'k');
  await store.sessions(owner, { limit: 1 });
  await store.sessions(owner, { limit: 1 }, { q: 'x', state: 'done', tool: 't', min_cost: '0.1' });
  await store.rename(key, null);
  await store.session(key);
  for (const session of [null, 's1']) await store.countTasks(owner, session);
  await store.tasks(key, { limit: 1 });
  await store.turns(key, { limit: 1 });
  await store.waiting(owner, ['paused'], { limit: 1 });
  for (const reader of [{ owner, names: ['owner:local', 'role:finance'] }, null])
    await store.approvals(reader, { limit: 1 });
  for (const query of [{}, { task_id }, { session_id: 's1', kinds: [{ state: 'done', outcome: null }] }] as const)
    await store.moved(owner, query, { limit: 1 });
  for (const each of [owner, null]) await store.task(each, task_id);
  await store.loadTask(key, task_id);
  await store.entries(key, null, 0, 1);
  await store.entries(key, task_id, 0, 1);
  await store.lastUsedAt(0);
  await store.ownerCounts(owner);
  for (const readers of [[owner], null]) await store.pendingCallbacks(readers);
  await store.removable({ before: 0, includeWaiting: false, limit: 1 });
  await store.nextCallback(owner, 0, ['c']);
  await store.callbacks([owner], CallbackState.options, { limit: 1 });
  await store.callback([owner], 'c');
  await store.resendCallback({ owner, reader: owner, id: 'turn' }, 0);
  for (const result of [
    { state: 'pending', retryAt: 0, error: '' },
    { state: 'delivered' },
    { state: 'dropped' },
  ] as const)
    await store.settleCallback({ owner, reader: owner, id: 'c' }, result, 0);
  const system = { text: 'x', hash: 'x' };
  const facts = { contract: 'plan', model: 'm', duration_ms: 1, outcome: 'aborted', fault: null, usage: null } as const;
  const lengths = { prompt_chars: 0, answer_chars: 0, structured_output: false };
  const body = Buffer.from('{}');
  await calls.add([{ task_id, effect_id: `${task_id}.1`, at: 0, ...facts, ...lengths, body, system }], 1);
  await calls.list({ owner, task_id, limit: 1 });
  await calls.list({ owner, task_id, effect_id: `${task_id}.1`, limit: 1 });
  await calls.count(owner);
  await calls.forget(1, 1);
  const times = { created_at: 0, expires_at: null, last_used_at: null, roles: [] };
  await access.keys.add({ id: 'k', hash: 'h', owner, role: 'user', ...times });
  await access.keys.find('h');
  await access.keys.markUsed({ id: 'k', owner }, 1);
  await access.keys.list({ limit: 1 });
  await access.keys.revoke('k');
  await access.quotas.set(owner, { turns_per_day: 9 }, 1);
  await access.quotas.of(owner);
  await access.usedOn(owner, 0);
  await access.usedByDay(owner, { limit: 1 });
};

/** The plans of all statements that a service, its tools and its administration prepare. */
const recordPlans = async (): Promise<{ sql: string; details: string[] }[]> => {
  const prepared = recordStatements();
  const { engine, store, db: peek, dataDir } = await openEngine({ model: createScriptedModel(echo) });
  const { task_id } = await sessionOf(engine).ask('Go');
  await askAll(store, task_id!);
  const answer = createStatementRunner(peek);
  const session = { owner: someone.owner, session_id: sessionOf(engine).session_id };
  for (const input of [...TODOS, ...TODO_REST]) tell(answered(todoTool, peek), input);
  for (const input of SCHEDULE) tell(answered(scheduleTool, peek), input, { command: { callback_url: undefined } });
  for (const input of PLANS) tell(answered(planningTool, peek), input);
  answer(dueStore.nextDue(null));
  answer(dueStore.sessionsWithDue(null, 0, 1));
  answer(reminderStore.takeDueOf(session, 0, 0));
  answer(goalStore.takeDueOf(session, 0, 0));
  answer(goalStore.started(session.owner, 1, 'turn'));
  await engine.remove('local', 's1');
  await engine.close();
  const admin = createAdmin({ dataDir, now: Date.now, removeFolder: async () => {} });
  await admin.backUp(join(dataDir, 'copy'));
  const db = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  try {
    const asked = [...prepared].filter((sql) => /^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(sql));
    return asked.map((sql) => {
      const explain = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      const named = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null]));
      const values = sql.includes('?')
        ? [...sql.matchAll(/\?/g)].map(() => null)
        : Object.keys(named).length > 0
          ? [named]
          : [];
      return { sql, details: explain.all(...values).map(({ detail }) => detail) };
    });
  } finally {
    db.close();
  }
};

it('no statement goes through a table that grows, or sorts what grows', async () => {
  const plans = await recordPlans();
  expect(plans.length).toBeGreaterThan(130);
  const found = plans.filter(({ details }) =>
    details.some((detail) => (detail.startsWith('SCAN ') && !NO_TABLE.test(detail)) || detail.includes('TEMP B-TREE')),
  );
  expect(found.filter(({ sql }) => !EXCEPTIONS.some(([, pattern]) => pattern.test(sql)))).toEqual([]);
  expect(EXCEPTIONS.filter(([, pattern]) => !found.some(({ sql }) => pattern.test(sql)))).toEqual([]);
  // A list or search of todos reads no text but those that it shows, or looks through.
  const lists = plans.filter(({ sql }) => / total FROM todos JOIN(?!.*@ids)| AS searched FROM todos/.test(sql));
  expect(lists.length).toBeGreaterThan(10);
  for (const { sql, details } of lists)
    expect(
      details.filter((detail) => /^SEARCH todos USING (?!PRIMARY KEY \(owner=\? AND id=\?\))/.test(detail)),
      sql,
    ).toEqual([expect.stringContaining('COVERING INDEX')]);
});
