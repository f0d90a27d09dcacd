import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createCommitQueue } from '../../src/engine/sqlite/commit-queue.ts';
import { longestBlock } from '../support/longest-block.ts';

const openQueue = (isAlone: boolean) => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE lines (text TEXT UNIQUE) STRICT');
  const add = db.prepare('INSERT INTO lines VALUES (?)');
  const lines = db.prepare<[], string>('SELECT text FROM lines ORDER BY rowid').pluck();
  let commits = 0;
  db.function('counted', () => ++commits);
  const queue = createCommitQueue(db, () => isAlone);
  return { queue, add: (text: string) => () => void add.run(text), lines: () => lines.all(), db };
};

describe('A session that is alone', () => {
  it('is committed at once, before anything else runs', () => {
    const { queue, add, lines } = openQueue(true);
    void queue.commit(add('one'));
    expect(lines()).toEqual(['one']);
  });

  it('is rejected with the error of its write, and nothing of that is stored', async () => {
    const { queue, add, lines } = openQueue(true);
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
    const { queue, add, lines, db } = openQueue(false);
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

  it('do not suffer when the write of one of them fails', async () => {
    const { queue, add, lines } = openQueue(false);
    const settled = await Promise.allSettled(['one', 'two', 'one', 'three'].map((text) => queue.commit(add(text))));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(lines()).toEqual(['one', 'two', 'three']);
  });

  it('are committed over turns of the event loop where their writes take long, also when one of them fails', async () => {
    const { queue, add, lines } = openQueue(false);
    const texts = ['one', 'two', 'three', 'four', 'two', 'five', 'six', 'seven'];
    const slow = (text: string) => () => {
      for (const from = performance.now(); performance.now() - from < 12; );
      add(text)();
    };
    const block = await longestBlock(() => Promise.allSettled(texts.map((text) => queue.commit(slow(text)))));
    expect(block).toBeLessThan(50);
    expect(lines()).toEqual(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  });
});
