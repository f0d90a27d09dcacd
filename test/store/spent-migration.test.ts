import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { pack } from '../../src/store/sql/frames.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

const COST = ',"cost":{"amount":"0.25","currency":"EUR"}}';

/** Gives a data folder the form of version 38, whose only session paid for its task and called two tools more. */
const makeOld = (dataDir: string): void => {
  const db = new Database(join(dataDir, 'tripact.db'));
  db.exec('DROP TABLE session_tools; DROP TABLE session_costs; DROP TABLE tool_days;');
  const { id, view } = db.prepare('SELECT id, view FROM tasks').get() as { id: number; view: string };
  db.prepare('UPDATE tasks SET view = ? WHERE id = ?').run(view.replace(/\}$/, COST), id);
  const add = db.prepare(`INSERT INTO entries (session, seq, task, at, machine, state, step_count, event)
    SELECT session, max(seq) + 1, max(task), max(at), 4, 'acting', 1, ? FROM entries`);
  const observed = (tool: string) => ({ tool, input: 'x', ok: true, result: 'y'.repeat(1_000) });
  // As a build without frames stored one, and as several at once are.
  add.run(JSON.stringify({ type: 'observation.recorded', effect: 7, ...observed('plain') }));
  add.run(pack(JSON.stringify({ type: 'observations.recorded', effect: 8, observations: [observed('beside')] })));
  db.pragma('user_version = 38');
  db.close();
};

it('sessions of an older version are found by the tools that they called, and by the cost of their tasks', async () => {
  const dataDir = temporaryFolder();
  await offlineTurns(dataDir, { s1: 'Add milk to my todos' });
  makeOld(dataDir);
  const { db, close } = openDatabase({ dataDir });
  expect(db.prepare('SELECT tool FROM session_tools ORDER BY tool').pluck().all()).toEqual(['beside', 'plain', 'todo']);
  expect(db.prepare('SELECT currency, cost FROM session_costs').all()).toEqual([{ currency: 'EUR', cost: '0.25' }]);
  close();
});
