import { afterEach, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/sqlite/database.ts';
import { watchLongLog } from '../../src/store/sqlite/long-log.ts';
import { makeDataDir } from '../support/engine/empty-store.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('after a fault the log is copied by the commits for a minute, and then beside them again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const store = openStore({ dataDir: makeDataDir() });
  const { db } = store;
  const log = watchLongLog(db, () => {});
  const copiedInCommits = () => db.pragma('wal_autocheckpoint', { simple: true });
  // SQLite refuses to look at the log in a transaction.
  db.exec('BEGIN IMMEDIATE; CREATE TABLE filling (bytes)');
  expect(log.committed()).toBeNull();
  db.exec('COMMIT');
  expect(copiedInCommits()).toBeGreaterThan(0);
  vi.advanceTimersByTime(59_000);
  log.committed();
  expect(copiedInCommits()).toBeGreaterThan(0);
  vi.advanceTimersByTime(2_000);
  log.committed();
  expect(copiedInCommits()).toBe(0);
  await log.stop();
  store.close();
});
