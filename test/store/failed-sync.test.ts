import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { execute, queryOne } from '../../src/lib/queries.ts';
import { createSqliteDatabase } from '../../src/store/sqlite/database.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

/** Where the log's header says how many times it was begun. */
const CHECKPOINT_COUNT_AT = 12;

const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE' };

/** A store whose commits fail, while `disk.fails`, by default as where the disk cannot sync its log. */
const openOnDisk = (code = 'SQLITE_IOERR_FSYNC') => {
  const opened = openDatabase({ dataDir: freshDataDir() });
  onTestFinished(opened.close);
  const disk = { fails: false };
  const { db } = opened;
  const transaction = db.transaction.bind(db);
  db.transaction = ((work: (...given: unknown[]) => unknown) =>
    transaction((...given: unknown[]) => {
      work(...given);
      if (disk.fails) throw Object.assign(new Error('disk I/O error'), { code });
    })) as typeof db.transaction;
  const { write, isWritable } = createSqliteDatabase(opened);
  let keys = 0;
  const add = (): Promise<void> => {
    keys += 1;
    const values = { key: `k${keys}` };
    return write(null, () => execute("INSERT INTO meta (key, value) VALUES (@key, '1')", values));
  };
  const log = () => (db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }])[0];
  const begun = () => readFileSync(`${db.name}-wal`).readUInt32BE(CHECKPOINT_COUNT_AT);
  return { disk, add, log, begun, isWritable, db };
};

it('a log that the disk failed to sync is copied into the database before the next commit, which begins it anew', async () => {
  const { disk, add, log, begun } = openOnDisk();
  for (let i = 0; i < 10; i += 1) await add();
  const [before, times] = [log().log, begun()];
  disk.fails = true;
  await expect(add()).rejects.toMatchObject(UNAVAILABLE);
  disk.fails = false;
  await add();
  // Frames behind lost ones would not be found after a loss of power.
  expect(log().log).toBeLessThan(before);
  expect(begun()).toBe(times + 1);
  const { log: after } = log();
  await add();
  expect(log().log).toBeGreaterThan(after);
});

it('a commit that waits for a backup after a failed sync is refused until that has ended', async () => {
  const { disk, add, db, isWritable } = openOnDisk();
  await add();
  const backup = new Database(db.name, { readonly: true });
  onTestFinished(() => void backup.close());
  backup.exec('BEGIN; SELECT * FROM meta');
  disk.fails = true;
  await expect(add()).rejects.toMatchObject(UNAVAILABLE);
  disk.fails = false;
  expect(await isWritable()).toBe(false);
  backup.exec('COMMIT');
  expect(await isWritable()).toBe(true);
  await add();
});

it('a file system whose locks fail makes commits 503 and the store not writable, until they are back', async () => {
  const { disk, add, isWritable, db } = openOnDisk('SQLITE_PROTOCOL');
  disk.fails = true;
  await expect(add()).rejects.toMatchObject(UNAVAILABLE);
  db.pragma('query_only = true');
  expect(await isWritable()).toBe(false);
  db.pragma('query_only = false');
  disk.fails = false;
  expect(await isWritable()).toBe(true);
  await add();
});

it('a decision that is refused before it wrote anything leaves the commit to the others of its group', async () => {
  const opened = openDatabase({ dataDir: freshDataDir() });
  onTestFinished(opened.close);
  const { db } = opened;
  let transactions = 0;
  const transaction = db.transaction.bind(db);
  db.transaction = ((work: (...given: unknown[]) => unknown) =>
    transaction((...given: unknown[]) => {
      transactions += 1;
      work(...given);
    })) as typeof db.transaction;
  const { write } = createSqliteDatabase(opened);
  const add = (key: string): Promise<void> =>
    write(null, () => execute("INSERT INTO meta (key, value) VALUES (@key, '1')", { key }));
  const refused = write(null, function* () {
    yield* queryOne('SELECT 1 FROM meta', {});
    throw new Error('too many');
  });
  const settled = await Promise.allSettled([add('one'), refused, add('two')]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(transactions).toBe(1);
});
