import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { migrations } from '../../src/store/sqlite/migrate.ts';
import { pruneSessions } from '../../src/store/sqlite/prune.ts';
import { openReadOnly } from '../../src/store/sqlite/read-only.ts';
import { asking, concludes } from '../support/engine/model-answers.ts';
import { freshDataDir, openSqliteEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const FOLDER = new URL('../../src/store/sqlite/migrations/', import.meta.url);

/** The last version in which each entry had a text of its own. */
const BEFORE = 15;

/** The same contents in a database of that version. */
const ofBefore = (file: string): string => {
  const dataDir = freshDataDir();
  const db = new Database(join(dataDir, 'tripact.db'));
  for (const { version, file } of migrations())
    if (version <= BEFORE) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
  db.pragma(`user_version = ${BEFORE}`);
  db.pragma('foreign_keys = OFF');
  db.prepare('ATTACH ? AS newer').run(file);
  const tables = db.prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) {
    const columns = db
      .prepare<[string], string>('SELECT name FROM main.pragma_table_info(?)')
      .pluck()
      .all(table)
      .join();
    db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM newer.${table}`);
  }
  db.close();
  return dataDir;
};

it('a database of before is read as it is, opens, and has its tasks forked and removed', async () => {
  const { engine, dataDir: newer } = openSqliteEngine({ model: createScriptedModel(asking('Where to?')) });
  const { task_id } = await sessionOf(engine).ask('Plan a trip');
  const before = await sessionOf(engine).trace();
  await engine.close();
  const dataDir = ofBefore(join(newer, 'tripact.db'));
  const store = openReadOnly(dataDir);
  expect([...store.traces('s1')[0]!.entries(0)]).toEqual(before);
  store.close();
  const older = new Database(join(dataDir, 'tripact.db'), { readonly: true });
  const old = { before: Date.now() + 60_000, includeWaiting: true };
  expect((await Array.fromAsync(pruneSessions(older, old, true))).flat()).toMatchObject([{ session_id: 's1' }]);
  older.close();

  const next = openSqliteEngine({ dataDir, model: createScriptedModel([concludes('To Rome'), concludes('To Oslo')]) });
  expect(await sessionOf(next.engine).trace()).toEqual(before);
  const turn = await next.engine.fork('local', task_id ?? '', { session_id: 's2', input: 'Rome' });
  expect(await sessionOf(next.engine, 's2').reply(turn)).toMatchObject({ output: 'To Rome' });
  await next.engine.remove('local', 's1');
  expect((await sessionOf(next.engine, 's2').events()).slice(1, 4)).toEqual(
    before.slice(0, 3).map(({ event }) => event.type),
  );
});
