import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createCommitQueue } from '../../src/store/sqlite/commit-queue.ts';
import { openStore } from '../../src/store/sqlite/database.ts';
import { watchLongLog } from '../../src/store/sqlite/long-log.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { storageErrors } from '../../src/store/sqlite/storage-errors.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';

/** Where the log's header says how many times it was begun. */
const CHECKPOINT_COUNT_AT = 12;

/** A store whose commits fail, while `disk.fails`, by default as where the disk can not sync its log. */
const openOnDisk = (code = 'SQLITE_IOERR_FSYNC') => {
  const store = openStore({ dataDir: freshDataDir() });
  onTestFinished(store.close);
  const disk = { fails: false };
  const { access, isWritable } = createSqliteStore({
    store,
    createCommits: (db, around) =>
      createCommitQueue(db, {
        ...around,
        end: () => {
          around.end();
          if (disk.fails) throw Object.assign(new Error('disk I/O error'), { code });
        },
      }),
  });
  let keys = 0;
  const addKey = (): Promise<void> => {
    keys += 1;
    const times = { created_at: 0, expires_at: null, last_used_at: null };
    return access.keys.add({ id: `k${keys}`, hash: `h${keys}`, owner: 'ada', role: 'user', ...times });
  };
  const log = () => (store.db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }])[0];
  return { disk, addKey, log, isWritable, db: store.db };
};

it('a log that the disk failed to sync is copied into the database before the next commit, which begins it anew', async () => {
  const { disk, addKey, log } = openOnDisk();
  for (let i = 0; i < 10; i += 1) await addKey();
  const { log: before } = log();
  disk.fails = true;
  await expect(addKey()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  disk.fails = false;
  await addKey();
  // What lies behind frames that are lost would not be found after a loss of power.
  expect(log().log).toBeLessThan(before);
  const { log: after } = log();
  await addKey();
  expect(log().log).toBeGreaterThan(after);
});

it('a log that was copied after a failed sync is begun anew at once, and goes before the database no more', async () => {
  const { db, close } = openStore({ dataDir: freshDataDir() });
  onTestFinished(close);
  const log = watchLongLog(db, () => {});
  const begun = () => readFileSync(`${db.name}-wal`).readUInt32BE(CHECKPOINT_COUNT_AT);
  db.exec("INSERT INTO meta VALUES ('stored', '1')");
  const before = begun();
  log.doubt({ code: 'SQLITE_IOERR_FSYNC' });
  log.mend();
  expect(begun()).toBe(before + 1);
});

it('a commit that waits for a backup after a failed sync is refused for that reason', async () => {
  const { db, files, close } = openStore({ dataDir: freshDataDir() });
  onTestFinished(close);
  db.pragma('busy_timeout = 0');
  const log = watchLongLog(db, () => {});
  const { watch } = storageErrors(db, files, {}, log);
  db.exec("INSERT INTO meta VALUES ('backed up', '1')");
  const backup = new Database(db.name, { readonly: true });
  onTestFinished(() => void backup.close());
  backup.exec('BEGIN; SELECT * FROM meta');
  const failed = watch(() =>
    Promise.reject(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })),
  );
  await expect(failed).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await expect(watch(log.mend)).rejects.toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    message: expect.stringMatching(/^The disk has failed.* the end of a backup/),
  });
  backup.exec('COMMIT');
  await watch(log.mend);
});

it('a file system whose locks fail makes commits 503 and the store not writable, until they are back', async () => {
  const { disk, addKey, isWritable, db } = openOnDisk('SQLITE_PROTOCOL');
  disk.fails = true;
  await expect(addKey()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  db.pragma('query_only = true');
  expect(await isWritable()).toBe(false);
  db.pragma('query_only = false');
  disk.fails = false;
  expect(await isWritable()).toBe(true);
  await addKey();
});
