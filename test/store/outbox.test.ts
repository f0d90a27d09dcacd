import { expect, it, onTestFinished } from 'vitest';
import { CALLBACKS_KEPT } from '../../contracts/limits.ts';
import { addToOutbox, pruneCallbacks, settleCallback } from '../../src/store/sql/outbox.ts';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';
import { storeInMemory } from '../support/engine/empty-store.ts';

const SESSION = {
  ...{ id: 1, owner: 'ada', session_id: 's1', timezone: 'UTC', created_at: 1, updated_at: 1, turn_count: 1 },
  is_fork: false,
};

/** A store with so many callbacks, each a second later than the one before it. */
const filled = (rows: number) => {
  const { db } = storeInMemory();
  onTestFinished(() => void db.close());
  const answer = answerQuestions(db);
  const message = { event: 'turn.finished', url: 'http://a.example/', turn_id: 'turn_1', data: null } as const;
  db.exec("INSERT INTO sessions VALUES (1, 'ada', 's1', 'UTC', 1, 1, 1, 0); BEGIN");
  for (let i = 0; i < rows; i += 1) answer(addToOutbox({ ...message, id: `c${i}` }, SESSION, i * 1_000));
  return { db, answer };
};

it('keeps the newest of what was delivered and of what was given up', () => {
  const rows = CALLBACKS_KEPT + 640;
  const { db, answer } = filled(rows);
  for (let i = 0; i < rows; i += 1) {
    const result =
      i % 2 === 0 ? ({ state: 'delivered' } as const) : ({ state: 'given_up', error: 'HTTP 410' } as const);
    answer(settleCallback(`c${i}`, result, i));
  }
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

it('loses by retention what ended before, and nothing that is pending', () => {
  const { db, answer } = filled(5_000);
  for (let i = 0; i < 4_000; i += 1)
    if (i % 4 !== 0) answer(settleCallback(`c${i}`, { state: 'delivered' }, i * 1_000));
  while (answer(pruneCallbacks(3_000_000)));
  const left = db.prepare('SELECT state, count(*) FROM outbox GROUP BY state').raw().all();
  expect(left).toEqual([
    ['delivered', 750],
    ['pending', 2_000],
  ]);
});
