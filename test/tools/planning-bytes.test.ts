import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { NAMED_PLAN_BYTES_MAX } from '../../contracts/limits.ts';
import { migrate, migrations } from '../../src/store/sqlite/migrate.ts';
import { removeSession } from '../../src/store/sqlite/remove-session.ts';
import { prepareSweep } from '../../src/store/sqlite/sweep-removed.ts';
import { namedPlans } from '../../src/tools/planning/named-plans.ts';
import { call, openPlanning } from './planning-session.ts';

const FOLDER = new URL('../../src/store/sqlite/migrations/', import.meta.url);

/** The last version that did not count what named plans take. */
const BEFORE = 18;

const COUNTED = 'SELECT owner, bytes FROM named_plan_bytes ORDER BY owner';
const SUMMED = `SELECT owner, sum(octet_length(plan_id) + octet_length(title) + (SELECT sum(100 + octet_length(step) + coalesce(octet_length(notes), 0))
  FROM named_plan_steps WHERE plan = p.id)) AS bytes FROM named_plans p GROUP BY owner ORDER BY owner`;

it('what the named plans of an owner take is counted by whatever changes them', () => {
  const { db, answer } = openPlanning();
  const expectCounted = (): void =>
    expect(
      db
        .prepare(COUNTED)
        .all()
        .filter((row) => (row as { bytes: number }).bytes > 0),
    ).toEqual(db.prepare(SUMMED).all());
  const anna = { ...call, owner: 'anna', session_id: 's2' };
  for (const scope of [call, anna]) answer(namedPlans.create(scope, { plan_id: 'trip', steps: ['Book', '打包'] }, 1));
  answer(namedPlans.create(call, { plan_id: 'work', steps: ['Write'] }, 1));
  expectCounted();
  answer(namedPlans.mark(call, 'trip', 1, { notes: '雾' }, 2));
  answer(namedPlans.update(call, 'trip', { steps: ['打包', 'Fly'] }, 3));
  expectCounted();
  answer(namedPlans.update(call, 'trip', { title: '夏天的旅行' }, 4));
  expectCounted();
  answer(namedPlans.delete(call, 'work'));
  expectCounted();
  const id = db.prepare("SELECT id FROM sessions WHERE owner = 'anna' AND session_id = 's2'").pluck().get() as number;
  db.transaction(() => removeSession(db)(id))();
  expectCounted();
  const sweep = prepareSweep(db);
  db.transaction(() => sweep.sweepSlice(sweep.listed()))();
  expectCounted();
  expect(db.prepare(COUNTED).all()).toContainEqual({ owner: 'anna', bytes: 0 });
});

it('at their limit plans become no longer, in no session of the owner, but shorter', () => {
  const { db, answer } = openPlanning();
  answer(namedPlans.create(call, { plan_id: 'trip', steps: ['Book', 'Pack'] }, 1));
  db.prepare('UPDATE named_plan_bytes SET bytes = ?').run(NAMED_PLAN_BYTES_MAX);
  const other = { ...call, session_id: 's2' };
  const refused = expect.objectContaining({ reason: 'too_large' });
  expect(() => answer(namedPlans.create(other, { plan_id: 'work', steps: ['Write'] }, 1))).toThrow(refused);
  expect(() => answer(namedPlans.mark(call, 'trip', 0, { notes: 'fog' }, 1))).toThrow(refused);
  expect(() => answer(namedPlans.update(call, 'trip', { steps: ['Book', 'Pack', 'Fly'] }, 1))).toThrow(refused);
  expect(() => answer(namedPlans.update(call, 'trip', { title: 'Journey' }, 1))).toThrow(refused);
  answer(namedPlans.mark(call, 'trip', 0, { status: 'completed' }, 1));
  answer(namedPlans.update(call, 'trip', { steps: ['Pack'] }, 1));
  answer(namedPlans.create({ ...call, owner: 'anna' }, { plan_id: 'work', steps: ['Write'] }, 1));
  answer(namedPlans.create(other, { plan_id: 'w', steps: ['Go'] }, 1));
});

it('a database of before has its named plans counted', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  for (const { version, file } of migrations())
    if (version <= BEFORE) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
  db.pragma(`user_version = ${BEFORE}`);
  db.exec(`
    INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) VALUES (1, 'ada', 's1', 'UTC', 1, 1);
    INSERT INTO named_plans (id, owner, session_id, plan_id, title, is_active, created_at, updated_at) VALUES (1, 'ada', 's1', 'trip', 'Trip', 1, 1, 1);
    INSERT INTO named_plan_steps (plan, position, step, status, notes) VALUES (1, 0, '计划', 'not_started', NULL), (1, 1, 'ab', 'blocked', 'c')`);
  migrate(db);
  expect(db.prepare(COUNTED).all()).toEqual([{ owner: 'ada', bytes: 217 }]);
});
