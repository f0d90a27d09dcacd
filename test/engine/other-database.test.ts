import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createAdmin } from '../../src/store/open-storage.ts';
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

const garbage = (): string => {
  const dataDir = freshDataDir();
  writeFileSync(join(dataDir, 'tripact.db'), 'Dear diary, '.repeat(1_000));
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
  ['is no database', garbage],
])("a start on another program's file that %s is refused in one sentence that names the folder", (_, make) => {
  const dataDir = make();
  for (let attempt = 1; attempt <= 2; attempt += 1)
    expect(() => openDatabase({ dataDir, lockWaitMs: 0 })).toThrow(refusal(dataDir));
});

it('a dry run of prune on a pipe in the place of the database waits for nothing', async () => {
  const dataDir = freshDataDir();
  execFileSync('mkfifo', [join(dataDir, 'tripact.db')]);
  const none = expect.objectContaining({ code: 'NOT_FOUND' });
  const admin = createAdmin({ dataDir, removeFolders: async function* () {}, now: Date.now });
  await expect(admin.prune({ isDryRun: true, before: 0, includeWaiting: false }, () => {})).rejects.toEqual(none);
});
