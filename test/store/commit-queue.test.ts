import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCommitQueue } from '../../src/store/sqlite/commit-queue.ts';

const openQueue = (file = ':memory:') => {
  const db = new Database(file, { timeout: 1 });
  db.exec('CREATE TABLE lines (text TEXT UNIQUE) STRICT');
  const add = db.prepare('INSERT INTO lines VALUES (?)');
  const lines = db.prepare<[], string>('SELECT text FROM lines ORDER BY rowid').pluck();
  const committed = vi.fn<() => void>();
  const queue = createCommitQueue(db, { end: committed });
  return { queue, add: (text: string) => () => void add.run(text), lines: () => lines.all(), db, committed };
};

describe('Writes that come in one turn of the event loop', () => {
  it('share one transaction, in the order they came', async () => {
    const { queue, add, lines, db, committed } = openQueue();
    let atFirst: string[] | null = null;
    const first = queue.commit(add('one')).then(() => {
      atFirst = lines();
    });
    const others = [queue.commit(add('two')), queue.commit(add('three'))];
    expect(lines()).toEqual([]);
    expect(db.inTransaction).toBe(false);
    await Promise.all([first, ...others]);
    expect(atFirst).toEqual(['one', 'two', 'three']);
    expect(committed).toHaveBeenCalledOnce();
  });

  it('let the event loop turn in between where they are very many', async () => {
    const { queue, add, lines, committed } = openQueue();
    const texts = Array.from({ length: 1_000 }, (_, i) => `line ${i}`);
    let atTurn = 0;
    const stored = Promise.all(texts.map((text) => queue.commit(add(text))));
    setImmediate(() => {
      atTurn = lines().length;
    });
    await stored;
    expect(lines()).toEqual(texts);
    expect(atTurn).toBeLessThan(100);
    expect(committed.mock.calls.length).toBeGreaterThan(10);
  });

  it('do not suffer when the write of one of them fails: nothing of that one is stored', async () => {
    const { queue, add, lines } = openQueue();
    const broken = () => {
      add('broken')();
      throw new Error('no');
    };
    const writes = [add('one'), broken, add('two'), add('one'), add('three')];
    const settled = await Promise.allSettled(writes.map((write) => queue.commit(write)));
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

it('waits for a lock of another program for a bounded time, and for the next lock again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-lock-'));
  const file = join(folder, 'lines.db');
  const { queue, add, lines, db } = openQueue(file);
  const other = new Database(file);
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
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
  other.exec('BEGIN IMMEDIATE');
  const stored = expect(queue.commit(add('two'))).resolves.toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  other.exec('COMMIT');
  await vi.advanceTimersByTimeAsync(100);
  await stored;
  expect(lines()).toEqual(['two']);
});
