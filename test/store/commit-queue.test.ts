import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { createCommitQueue, type Waiting } from '../../src/store/sqlite/commit-queue.ts';

const openQueue = () => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE lines (text TEXT UNIQUE) STRICT');
  const add = db.prepare('INSERT INTO lines VALUES (?)');
  const lines = db.prepare<[], string>('SELECT text FROM lines ORDER BY rowid').pluck();
  const committed = vi.fn<() => void>();
  const transact = db.transaction((group: readonly Waiting[]) => {
    for (const each of group) each.result = each.write();
    committed();
  });
  const commit = createCommitQueue(transact);
  return { commit, add: (text: string) => () => void add.run(text), lines: () => lines.all(), db, committed };
};

describe('Writes that come in one turn of the event loop', () => {
  it('share one transaction, in the order they came', async () => {
    const { commit, add, lines, db, committed } = openQueue();
    let atFirst: string[] | null = null;
    const first = commit(add('one')).then(() => {
      atFirst = lines();
    });
    const others = [commit(add('two')), commit(add('three'))];
    expect(lines()).toEqual([]);
    expect(db.inTransaction).toBe(false);
    await Promise.all([first, ...others]);
    expect(atFirst).toEqual(['one', 'two', 'three']);
    expect(committed).toHaveBeenCalledOnce();
  });

  it('do not suffer when the write of one of them fails: nothing of that one is stored', async () => {
    const { commit, add, lines } = openQueue();
    const broken = () => {
      add('broken')();
      throw new Error('no');
    };
    const writes = [add('one'), broken, add('two'), add('one'), add('three')];
    const settled = await Promise.allSettled(writes.map((write) => commit(write)));
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(settled[1]).toMatchObject({ reason: { message: 'no' } });
    expect(lines()).toEqual(['one', 'two', 'three']);
  });
});
