import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { buildApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { replay } from '../../src/history/replay.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

/** Gives a data folder the form of version 35, which had chains as hex. */
const makeOld = (dataDir: string): void => {
  const db = new Database(join(dataDir, 'tripact.db'));
  db.exec(`ALTER TABLE entries RENAME COLUMN chain TO bytes;
    ALTER TABLE entries ADD COLUMN chain TEXT;
    UPDATE entries SET chain = lower(hex(bytes));
    ALTER TABLE entries DROP COLUMN bytes;
    DROP TABLE sign_ins;
    DROP INDEX turns_rated;
    ALTER TABLE turns DROP COLUMN feedback;
    ALTER TABLE turns DROP COLUMN rating;
    DROP TABLE session_tools;
    DROP TABLE session_costs;
    DROP TABLE tool_days;`);
  db.pragma('user_version = 35');
  db.close();
};

const traceOf = async (dataDir: string, session: string): Promise<unknown[]> => {
  const config = loadConfig({ TRIPACT_DATA_DIR: dataDir, TRIPACT_MODEL: 'offline' });
  const { engine, close } = await buildApp({ config, log: pino({ level: 'silent' }), version: '0.0.0-test' });
  const entries = await Array.fromAsync(engine.sessionTrace('local', session));
  await close();
  return entries;
};

it('chains that were stored as hex stay as they were, and later entries of a task go on from them', async () => {
  const dataDir = temporaryFolder();
  await offlineTurns(dataDir, { s1: 'Schedule a meeting with Anna' });
  const before = await traceOf(dataDir, 's1');
  makeOld(dataDir);
  await offlineTurns(dataDir, { s1: 'tomorrow at 5 pm' });
  const after = await traceOf(dataDir, 's1');
  expect(after.length).toBeGreaterThan(before.length);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(await replay(after)).toEqual({ ok: true, entries: after.length });
});
