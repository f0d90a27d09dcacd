import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { CALLBACKS_KEPT } from '../../contracts/limits.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { prepareOutboxReads, prepareOutboxWrites } from '../../src/store/sqlite/outbox.ts';

const emptyDatabase = (): Database.Database => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  return db;
};

const SESSION = {
  ...{ id: 1, owner: 'ada', session_id: 's1', timezone: 'UTC', created_at: 1, updated_at: 1, turn_count: 1 },
  is_fork: false,
};

/** A store with so many rows, each a second later than the one before it. */
const filled = (rows: number) => {
  const db = emptyDatabase();
  migrate(db);
  const writes = prepareOutboxWrites(db);
  const message = { event: 'turn.finished', url: 'http://a.example/', turn_id: 'turn_1', data: null } as const;
  db.transaction(() => {
    for (let i = 0; i < rows; i += 1) writes.add({ ...message, id: `c${i}` }, SESSION, i * 1_000);
  })();
  return { db, writes, reads: prepareOutboxReads(db, () => null) };
};

it('keeps the newest of what was delivered and of what was given up', () => {
  const rows = CALLBACKS_KEPT + 640;
  const { db, writes } = filled(rows);
  db.transaction(() => {
    for (let i = 0; i < rows; i += 1)
      writes.settle(`c${i}`, i % 2 === 0 ? { state: 'delivered' } : { state: 'given_up', error: 'HTTP 410' }, i);
  })();
  const kept = db.prepare('SELECT state, count(*), max(number) FROM outbox GROUP BY state ORDER BY state').raw().all();
  expect(kept).toEqual([
    ['delivered', expect.any(Number), rows - 1],
    ['given_up', expect.any(Number), rows],
  ]);
  for (const [, count] of kept as [string, number][]) {
    expect(count).toBeGreaterThanOrEqual(CALLBACKS_KEPT / 2);
    expect(count).toBeLessThan(CALLBACKS_KEPT / 2 + 64);
  }
});

it('keeps as many of what was given up because too many were pending, however long its receiver is gone', () => {
  const { db, writes } = filled(CALLBACKS_KEPT);
  let givenUp = 0;
  while (givenUp < CALLBACKS_KEPT - 100) givenUp += writes.giveUpOldest('ada', CALLBACKS_KEPT - 100 - givenUp, 1);
  const left = db.prepare('SELECT state, count(*), max(number) FROM outbox GROUP BY state').raw().all();
  expect(left).toEqual([
    ['given_up', CALLBACKS_KEPT / 2, CALLBACKS_KEPT - 100],
    ['pending', 100, CALLBACKS_KEPT],
  ]);
});

it('loses by retention what ended before, and nothing that is pending', () => {
  const { db, writes } = filled(5_000);
  for (let i = 0; i < 4_000; i += 1) if (i % 4 !== 0) writes.settle(`c${i}`, { state: 'delivered' }, i * 1_000);
  for (let after: number | null = 0; after !== null; ) after = writes.prune(3_000_000, after);
  const left = db.prepare('SELECT state, count(*) FROM outbox GROUP BY state').raw().all();
  expect(left).toEqual([
    ['delivered', 750],
    ['pending', 2_000],
  ]);
});

it('reads no more rows than it gives, however many are due', () => {
  const { db, reads } = filled(10_000);
  expect(reads.dueIds('ada', 1e9, 16)).toHaveLength(16);
  expect(reads.list(['ada', ''], ['pending', 'given_up'], 3, null)).toMatchObject({
    items: [{ id: 'c9999' }, { id: 'c9998' }, { id: 'c9997' }],
    next: '9998',
  });
  const plans = [
    'outbox_due WHERE reader = ? AND due_at <= ? ORDER BY due_at, number',
    'outbox_by_state WHERE reader = ? AND state = ? AND number < ? ORDER BY number DESC',
  ];
  for (const plan of plans) {
    const steps = db
      .prepare(`EXPLAIN QUERY PLAN SELECT id FROM outbox INDEXED BY ${plan} LIMIT 16`)
      .all(...(plan.startsWith('outbox_due') ? ['', 1] : ['', '', 1]));
    expect(steps.map((step) => (step as { detail: string }).detail)).toEqual([
      expect.stringMatching(/^SEARCH .* USING INDEX/),
    ]);
  }
});
