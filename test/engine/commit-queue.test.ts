import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCommitQueue } from '../../src/store/sqlite/commit-queue.ts';
import { longestBlock } from '../support/longest-block.ts';

const openQueue = (busy: number, { sharedBy = 100, file = ':memory:' } = {}) => {
  const db = new Database(file, { timeout: 1 });
  db.exec('CREATE TABLE lines (text TEXT UNIQUE) STRICT');
  const add = db.prepare('INSERT INTO lines VALUES (?)');
  const lines = db.prepare<[], string>('SELECT text FROM lines ORDER BY rowid').pluck();
  const transactions = vi.fn<() => (() => void) | null>(() => null);
  let added = 0;
  const queue = createCommitQueue(db, () => busy, {
    begin: () => {
      added = 0;
    },
    isFull: () => added >= sharedBy,
    end: () => {},
    committed: transactions,
  });
  const addLine = (text: string) => () => {
    added += 1;
    add.run(text);
  };
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

  it('are committed over turns of the event loop where their writes take long, also when one of them fails', async () => {
    const { queue, add, lines } = openQueue(2);
    const texts = ['one', 'two', 'three', 'four', 'two', 'five', 'six', 'seven'];
    const slow = (text: string) => () => {
      for (const from = performance.now(); performance.now() - from < 12; );
      add(text)();
    };
    const block = await longestBlock(() => Promise.allSettled(texts.map((text) => queue.commit(slow(text)))));
    expect(block).toBeLessThan(50);
    expect(lines()).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  });

  it('go on in another turn of the event loop than the commit that they waited for, where that took long', async () => {
    const { queue, add } = openQueue(2);
    let isTurnOfCommit = false;
    const slow = (text: string) => () => {
      for (const from = performance.now(); performance.now() - from < 12; );
      add(text)();
      isTurnOfCommit = true;
      setImmediate(() => {
        isTurnOfCommit = false;
      });
    };
    const wentOnAtOnce = await Promise.all(
      ['one', 'two', 'three'].map((text) => queue.commit(slow(text)).then(() => isTurnOfCommit)),
    );
    expect(wentOnAtOnce).toEqual([false, false, false]);
  });

  it('share it in parts where it is full, in the order they came', async () => {
    const { queue, add, lines, transactions } = openQueue(2, { sharedBy: 2 });
    await Promise.all(['one', 'two', 'three', 'four', 'five'].map((text) => queue.commit(add(text))));
    expect(lines()).toEqual(['one', 'two', 'three', 'four', 'five']);
    expect(transactions).toHaveBeenCalledTimes(3);
  });

  it('wait a turn of the event loop for what is to be done between commits, which is done also where nobody waits', async () => {
    const { queue, add, transactions } = openQueue(2, { sharedBy: 1 });
    const turns: string[][] = [[]];
    let isOver = false;
    const nextOne = () => {
      turns.push([]);
      if (!isOver) setImmediate(nextOne);
    };
    setImmediate(nextOne);
    transactions.mockImplementation(() => {
      turns.at(-1)!.push('commit');
      return transactions.mock.calls.length % 2 === 1 ? null : () => turns.at(-1)!.push('between');
    });
    await Promise.all(['one', 'two', 'three', 'four'].map((text) => queue.commit(add(text))));
    await vi.waitUntil(() => turns.flat().length === 6);
    isOver = true;
    const done = turns.filter(({ length }) => length > 0);
    expect(done).toEqual([['commit', 'commit'], ['between'], ['commit', 'commit'], ['between']]);
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
