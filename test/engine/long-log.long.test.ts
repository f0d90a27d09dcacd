import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createCommitQueue } from '../../src/engine/sqlite/commit-queue.ts';
import { openStore } from '../../src/engine/sqlite/database.ts';
import { watchLongLog } from '../../src/engine/sqlite/long-log.ts';
import { makeDataDir } from '../support/engine/empty-store.ts';
import { longestBlock } from '../support/longest-block.ts';

const MB = 1024 * 1024;

it('a log of 300 MB, which a reader of another process needed, is copied into the database beside the commits', async () => {
  const store = openStore({ dataDir: makeDataDir() });
  const { db } = store;
  db.exec('CREATE TABLE filling (bytes)');
  const insert = db.prepare('INSERT INTO filling VALUES (zeroblob(?))');
  const reported: number[] = [];
  const log = watchLongLog(db, { onLong: (pages) => reported.push(pages) });
  const commits = createCommitQueue(db, () => 1, {
    begin: () => {},
    isFull: () => false,
    end: () => {},
    committed: log.committed,
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
