import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openDatabase, VERSION } from '../../src/store/sqlite/open.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

/** A data folder whose database another program made. */
const madeElsewhere = (sql: string, version: number): string => {
  const dataDir = freshDataDir();
  const db = new Database(join(dataDir, 'tripact.db'));
  db.exec(sql);
  db.pragma(`user_version = ${version}`);
  db.close();
  return dataDir;
};

const refusal = (dataDir: string) =>
  expect.objectContaining({
    code: 'STORAGE_UNAVAILABLE',
    message: expect.stringMatching(`^The [^\n]*${dataDir}[^\n]*$`),
  });

it.each([
  ['has a table of a name of ours', () => madeElsewhere('CREATE TABLE sessions (x)', 0)],
  ['has our newest version', () => madeElsewhere('CREATE TABLE x (x)', VERSION)],
])("a start on another program's file that %s is refused in one sentence that names the folder", (_, make) => {
  const dataDir = make();
  for (let attempt = 1; attempt <= 2; attempt += 1)
    expect(() => openDatabase({ dataDir, lockWaitMs: 0 })).toThrow(refusal(dataDir));
});
