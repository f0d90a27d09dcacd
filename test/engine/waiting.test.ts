import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { migrate, migrations } from '../../src/store/sqlite/migrate.ts';

const FOLDER = new URL('../../src/store/sqlite/migrations/', import.meta.url);

/** The last version that did not know since when a task waits. */
const BEFORE = 7;

const SESSION = `
  INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) VALUES (1, 'ada', 's1', 'UTC', 1, 900);
  INSERT INTO machines (id, name) VALUES (1, 'tripact-task@2')`;

const TASKS = `
  INSERT INTO tasks (id, task_id, session, state, first_seq, touched_at_seq) VALUES
    (1, 'task_1', 1, 'done', 1, 2), (2, 'task_2', 1, 'paused', 3, 4), (3, 'task_3', 1, 'awaiting_user', 5, 6), (4, 'task_4', 1, 'paused', 7, 8);
  INSERT INTO entries (session, seq, task, at, machine, event) VALUES
    (1, 2, 1, 200, 1, '{}'), (1, 4, 2, 400, 1, '{}'), (1, 6, 3, 600, 1, '{}');
  INSERT INTO snapshots (task, seq, machine, body) VALUES
    (2, 4, 1, '{"state":"paused","context":{"last_ask_user_question":"Old?"}}'),
    (3, 6, 1, '{"state":"awaiting_user","context":{"last_ask_user_question":"Where?"}}'), (4, 8, 1, 'broken')`;

it('knows of tasks from before since when they wait, and what they ask', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  for (const { version, file } of migrations())
    if (version <= BEFORE) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
  db.pragma(`user_version = ${BEFORE}`);
  db.exec(SESSION);
  db.exec(TASKS);
  migrate(db);
  expect(db.prepare('SELECT task_id, owner, question, waiting_since FROM tasks ORDER BY id').raw().all()).toEqual([
    ['task_1', 'ada', null, null],
    ['task_2', 'ada', null, 400],
    ['task_3', 'ada', 'Where?', 600],
    ['task_4', 'ada', null, 900],
  ]);
});
