import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { migrate, migrations } from '../../src/store/sqlite/migrate.ts';
import { countOwners } from '../../src/store/sqlite/owner-counts.ts';

const FOLDER = new URL('../../src/store/sqlite/migrations/', import.meta.url);

/** The last version that did not count what it stores. */
const BEFORE = 14;

it('a database of before has what its sessions store counted, in bytes and not in characters', () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  for (const { version, file } of migrations())
    if (version <= BEFORE) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
  db.pragma(`user_version = ${BEFORE}`);
  db.exec(`
    INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) VALUES
      (1, 'ada', 's1', 'UTC', 1, 1), (2, 'ada', 's2', 'UTC', 1, 1), (3, 'ben', 's1', 'UTC', 1, 1), (4, 'eve', 's1', 'UTC', 1, 1);
    INSERT INTO entries (session, seq, at, machine, event, effects) VALUES
      (1, 1, 1, 1, '1234', '56'), (1, 2, 1, 1, '78', NULL), (2, 1, 1, 1, '计划', NULL), (3, 7, 1, 1, '1', NULL);
    INSERT INTO turns (turn_id, session, owner, kind, status, input, reply, created_at) VALUES
      ('t1', 1, 'ada', 'task', 'done', '12345', '67', 1), ('t2', 3, 'ben', 'task', 'running', '继续', NULL, 1)`);
  migrate(db);
  const counted = [...countOwners(db)].map(([owner, { stored_bytes }]) => [owner, stored_bytes]);
  expect(Object.fromEntries(counted)).toEqual({ ada: 8 + 7 + 6, ben: 1 + 6, eve: 0 });
  expect(db.prepare('SELECT counted_seq FROM sessions ORDER BY id').pluck().all()).toEqual([2, 1, 7, 0]);
});
