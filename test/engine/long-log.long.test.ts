import { execFile } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createCommitQueue } from '../../src/store/sqlite/commit-queue.ts';
import { openStore } from '../../src/store/sqlite/database.ts';
import { watchLongLog } from '../../src/store/sqlite/long-log.ts';
import { makeDataDir } from '../support/engine/empty-store.ts';
import { longestBlock } from '../support/longest-block.ts';

const MB = 1024 * 1024;

/** A store with a log of so many MB, which a reader of another process needs until it is closed. */
const openWithLog = (megabytes: number) => {
  const store = openStore({ dataDir: makeDataDir() });
  const { db } = store;
  const log = watchLongLog(db, () => {});
  db.exec('CREATE TABLE filling (bytes)');
  const reader = new Database(db.name, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM filling').get();
  const insert = db.prepare('INSERT INTO filling VALUES (zeroblob(?))');
  for (let i = 0; i < megabytes; i++) insert.run(MB);
  return { store, db, log, reader };
};

it('a log of 300 MB, which a reader of another process needed, is copied into the database beside the commits', async () => {
  const store = openStore({ dataDir: makeDataDir() });
  const { db } = store;
  db.exec('CREATE TABLE filling (bytes)');
  const insert = db.prepare('INSERT INTO filling VALUES (zeroblob(?))');
  const reported: number[] = [];
  const log = watchLongLog(db, (pages) => reported.push(pages));
  const commits = createCommitQueue(db, {
    committed: () => {
      const copyLog = log.committed();
      if (copyLog !== null) setImmediate(copyLog);
    },
  });
  const write = (bytes: number): Promise<unknown> => commits.commit(() => insert.run(bytes));
  const length = db.prepare<[], { log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)');

  const reader = new Database(db.name, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM filling').get();
  for (let i = 0; i < 300; i++) await write(MB);
  while (reported.length === 0) await nextTurn();
  reader.close();
  const blockMs = await longestBlock(async () => {
    // The log begins anew once all of it is copied.
    for (let pages = 75_000; pages > 10_000; pages = length.get()!.log) {
      await write(100);
      await nextTurn();
    }
  });
  await log.stop();
  expect(blockMs).toBeLessThan(50);
  expect(reported).toHaveLength(1);
  expect(db.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  store.close();
});

it('a log of 100 MB that the disk failed to sync is copied by another thread, and nothing is committed before', async () => {
  const { store, db, log, reader } = openWithLog(100);
  log.doubt(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' }));
  expect(log.mend).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY_LOG' }));
  reader.close();
  const isMended = (): boolean => {
    try {
      log.mend();
      return true;
    } catch {
      return false;
    }
  };
  const blockMs = await longestBlock(async () => {
    while (!isMended()) await nextTurn();
  });
  expect(blockMs).toBeLessThan(50);
  const [{ log: pages }] = db.pragma('wal_checkpoint(NOOP)') as [Record<string, number>];
  expect(pages, 'the log is begun anew').toBeLessThan(10);
  await log.stop();
  store.close();
});

it('a log of 100 MB that the disk failed to sync is copied by another thread also after one that failed', async () => {
  const { store, db, log, reader } = openWithLog(100);
  reader.close();
  log.doubt(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' }));
  renameSync(db.name, `${db.name}.away`);
  expect(log.mend).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY_LOG' }));
  await log.stop();
  renameSync(`${db.name}.away`, db.name);
  expect(log.mend).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY_LOG' }));
  await log.stop();
  log.mend();
  store.close();
});

it('a stop while the log is copied ends in order, where nothing else keeps the process', async () => {
  const script = fileURLToPath(new URL('../support/engine/stop-long-log.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, join(makeDataDir(), 'filled.db')]);
  expect(stdout).toBe('stopped\n');
});
