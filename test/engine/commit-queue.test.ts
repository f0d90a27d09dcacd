import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCommitQueue } from '../../src/store/sqlite/commit-queue.ts';

const openQueue = (busy: number, { file = ':memory:' } = {}) => {
  const db = new Database(file, { timeout: 1 });
  db.exec('CREATE TABLE lines (text TEXT UNIQUE) STRICT');
  const add = db.prepare('INSERT INTO lines VALUES (?)');
  const lines = db.prepare<[], string>('SELECT text FROM lines ORDER BY rowid').pluck();
  const transactions = vi.fn<() => (() => void) | null>(() => null);
  const queue = createCommitQueue(db, () => busy, {
    end: () => {},
    committed: transactions,
  });
  const addLine = (text: string) => () => void add.run(text);
  return { queue, add: addLine, lines: () => lines.all(), db, transactions };
};

describe('A session that is alone', () => {
  it('is committed at once, before anything else runs', () => {
    const { queue, add, lines } = openQueue(1);
    void queue.commit(add('one'));
    expect(lines()).toEqual(['one']);
  });

  it('is rejected with the error of its write, and nothing of that is stored', async () => {
    const { queue, add, lines } = openQueue(1);
    const write = () => {
      add('one')();
      throw new Error('no');
    };
    await expect(queue.commit(write)).rejects.toThrow('no');
    expect(lines()).toEqual([]);
  });
});

describe('Sessions that are ready together', () => {
  it('share one transaction, in the order they came', async () => {
    const { queue, add, lines, db } = openQueue(2);
    let atFirst: string[] | null = null;
    const first = queue.commit(add('one')).then(() => {
      atFirst = lines();
    });
    const others = [queue.commit(add('two')), queue.commit(add('three'))];
    expect(lines()).toEqual([]);
    expect(db.inTransaction).toBe(false);
    await Promise.all([first, ...others]);
    expect(atFirst).toEqual(['one', 'two', 'three']);
  });

  it('share it over turns of the event loop, too, where they are very many', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const { queue, add, lines, transactions } = openQueue(1_000);
      const first = queue.commit(add('one'));
      await nextTurn();
      const second = queue.commit(add('two'));
      expect(transactions).not.toHaveBeenCalled();
      vi.runAllTimers();
      await Promise.all([first, second]);
      expect(lines()).toEqual(['one', 'two']);
      expect(transactions).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  it('do not suffer when the write of one of them fails', async () => {
    const { queue, add, lines } = openQueue(2);
    const settled = await Promise.allSettled(['one', 'two', 'one', 'three'].map((text) => queue.commit(add(text))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(lines()).toEqual(['one', 'two', 'three']);
  });
});

it('waits for a lock of another program also some time after one was held too long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-lock-'));
  const file = join(folder, 'lines.db');
  const { queue, add, lines, db } = openQueue(1, { file });
  const other = new Database(file);
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'setImmediate'] });
  onTestFinished(() => {
    vi.useRealTimers();
    other.close();
    db.close();
    rmSync(folder, { recursive: true });
  });
  other.exec('BEGIN IMMEDIATE');
  const refused = expect(queue.commit(add('one'))).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  await vi.advanceTimersByTimeAsync(6_000);
  await refused;
  other.exec('COMMIT');
  await vi.advanceTimersByTimeAsync(60_000);
  other.exec('BEGIN IMMEDIATE');
  const stored = expect(queue.commit(add('two'))).resolves.toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  other.exec('COMMIT');
  await vi.advanceTimersByTimeAsync(100);
  await stored;
  expect(lines()).toEqual(['two']);
});
