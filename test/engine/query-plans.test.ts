import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';
import { DATABASE_FILE } from '../../src/store/sqlite/database.ts';
import { createSqliteAdmin } from '../../src/store/sqlite/sqlite-admin.ts';
import { planningTool } from '../../src/tools/planning/planning-tool.ts';
import { reminderStore } from '../../src/tools/reminders.ts';
import { scheduleTool } from '../../src/tools/schedule/schedule-tool.ts';
import { todoTool } from '../../src/tools/todo/todo-tool.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { answered, someone, tell } from '../tools/owner-database.ts';

/** Statements that may go through a whole table or index, or sort what they find, and why. */
const EXCEPTIONS: [why: string, RegExp][] = [
  ['a start', /^SELECT owner, (count|sum)\(.*GROUP BY owner$/],
  ['a start', /AS owner, count\(\*\) AS running_tasks FROM tasks t WHERE t\.state = 'running'/],
  ['a start', / FROM tasks WHERE state = 'running' ORDER BY id$/],
  ['a start, the newest alone', / FROM tasks WHERE id IN \(SELECT task FROM entries .* ORDER BY id DESC LIMIT \?\)$/],
  ['a start', /^SELECT DISTINCT session FROM turns WHERE finished_at IS NULL$/],
  ['a start', /^SELECT reader, min\(due_at\) AS due_at, count\(\*\) AS pending FROM outbox INDEXED BY outbox_due/],
  ['reads no row', /LIMIT 0$/],
  ['a start, what was removed since the last one', /FROM removed_sessions/],
  ['the first of a table in its order', /^SELECT id, at FROM model_calls ORDER BY id LIMIT \?$/],
  ['a table with a limit', /sqlite_schema|FROM access_keys|FROM owner_quotas/],
  [
    'a session has one such task',
    /tasks INDEXED BY tasks_by_state .* state IN \('running', 'awaiting_user'\) ORDER BY touched_at_seq/,
  ],
  [
    'paused tasks of one session, where none is among its latest 500',
    /^SELECT task_id FROM \(.* WHERE state = 'paused' UNION ALL/,
  ],
  ['turns that wait in the sessions of a page', /FROM turns INDEXED BY turns_open WHERE session IN .* ORDER BY id$/],
  ['calls of one task', /^SELECT id, effect_id, at, facts FROM model_calls INDEXED BY model_calls_of_task/],
  ['tags of one todo', /^SELECT id, text, .* FROM todos WHERE owner = @owner AND id = @id$/],
  ['todos of one owner', /\btotal FROM todos JOIN \(SELECT id AS listed/],
  ['reminders of the todos of a page', /^SELECT \* FROM reminders .* json_each\(@ids\) wanted\) ORDER BY id$/],
  ['as many reminders as are looked at', /^SELECT owner, session_id FROM \(SELECT \* FROM reminders .* LIMIT 1000\)/],
  [
    'named plans of one session',
    /^SELECT id, plan_id, .* LEFT JOIN named_plan_steps steps .* GROUP BY named_plans\.id/,
  ],
  ['a command line', /^SELECT count\(\*\) FROM (sessions|tasks)/],
  ['the table of these tests', /FROM tally/],
];

/** What a part of a plan looks at that is no table: tables made of a value, and what another part of the statement gives. */
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

/** The plans of all statements that a service, its tools and its administration prepare. */
const recordPlans = async (): Promise<{ sql: string; details: string[] }[]> => {
  const prepared = recordStatements();
  const { engine, store, dataDir } = openSqliteEngine({ model: createScriptedModel(echo) });
  await sessionOf(engine).ask('Go');
  const answer = answerQuestions(store.db);
  const session = { owner: someone.owner, session_id: sessionOf(engine).session_id };
  for (const input of [...TODOS, ...TODO_REST]) tell(answered(todoTool, store.db), input);
  for (const input of SCHEDULE) tell(answered(scheduleTool, store.db), input);
  for (const input of PLANS) tell(answered(planningTool, store.db), input);
  answer(reminderStore.nextDue());
  answer(reminderStore.sessionsWithDue(0, 1));
  answer(reminderStore.takeDueOf(session, 0, 0));
  await engine.close();
  const admin = createSqliteAdmin({ dataDir, now: Date.now, removeFolders: async function* () {} });
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
  expect(plans.length).toBeGreaterThan(170);
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
