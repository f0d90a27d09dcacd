import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createClockJumps } from '../../src/engine/prune-sessions.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { countTurn, usageByDay } from '../../src/store/sql/usage.ts';
import { answerQuestions } from '../../src/store/sqlite/answer-questions.ts';
import { storeInMemory } from '../support/engine/empty-store.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const YEAR_MS = 365 * DAY_MS;
const START = Date.UTC(2026, 5, 1, 12);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const openEmpty = () => {
  const { db, sql } = storeInMemory();
  onTestFinished(() => void db.close());
  return { db, store: createStore(sql), answer: answerQuestions(db) };
};

it('a clock that is a year ahead for a moment takes no usage of the days before, which goes when it is 400 days old', () => {
  const { answer } = openEmpty();
  const hasJumped = createClockJumps();
  const addTurn = (at: number) => answer(countTurn('ada', at, hasJumped(at)));
  const shown = () => answer(usageByDay('ada', 10, null)).items.map(({ day }) => day);
  addTurn(START);
  vi.advanceTimersByTime(60 * DAY_MS);
  addTurn(START + 60 * DAY_MS);
  addTurn(START + 60 * DAY_MS + YEAR_MS);
  addTurn(START + 60 * DAY_MS);
  expect(shown()).toEqual(['2027-07-31', '2026-07-31', '2026-06-01']);
  vi.advanceTimersByTime(350 * DAY_MS);
  addTurn(START + 410 * DAY_MS);
  expect(shown()).toEqual(['2027-07-31', '2027-07-16', '2026-07-31']);
});

it('a key that is made while the clock is a year ahead for a moment removes none that is good, and later one that has ended', async () => {
  const { access } = openEmpty().store;
  const add = (id: string, created_at: number, expires_at: number | null) =>
    access.keys.add({ id, hash: id, owner: 'ada', role: 'operator', created_at, expires_at, last_used_at: null });
  const ids = async () => (await access.keys.list({ limit: 10 })).items.map(({ id }) => id);
  await add('operator', START, null);
  await add('good', START, START + 100 * DAY_MS);
  await access.keys.markUsed('operator', START + YEAR_MS);
  await add('ahead', START + YEAR_MS, null);
  expect(await ids()).toEqual(['operator', 'good', 'ahead']);
  vi.advanceTimersByTime(140 * DAY_MS);
  await add('later', START + 140 * DAY_MS, null);
  expect(await ids()).toEqual(['operator', 'ahead', 'later']);
});
