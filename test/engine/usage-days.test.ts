import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { createCommitQueue } from '../../src/store/sqlite/commit-queue.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { createUsageDays } from '../../src/store/sqlite/usage-days.ts';

const AT = Date.UTC(2026, 0, 5, 23, 59);
const USAGE = { input_tokens: 10, output_tokens: 3, model: 'm' };
const COST = { amount: '0.1', currency: 'EUR' };

const openUsage = () => {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  migrate(db);
  const days = createUsageDays(db);
  const queue = createCommitQueue(db, days);
  return { ...days, commit: queue.commit };
};

it('adds up the calls of sessions that are stored together, each model and currency apart', async () => {
  const { addCall, commit, on } = openUsage();
  const calls = [USAGE, { ...USAGE, cost: COST }, { ...USAGE, cost: COST }, { ...USAGE, model: 'n' }];
  await Promise.all(calls.map((usage) => commit(() => addCall('ada', AT, usage))));
  await commit(() => addCall('ada', AT, { ...USAGE, cost: COST }));
  const { day, calls: count, usage, models } = on('ada', AT);
  expect({ day, count, input: usage.input_tokens }).toEqual({ day: '2026-01-05', count: 5, input: 50 });
  expect(models).toMatchObject([
    { model: 'm', calls: 4 },
    { model: 'n', calls: 1 },
  ]);
});

it('adds up what calls cost exactly, in one commit and over several', async () => {
  const { addCall, commit, on } = openUsage();
  const call = () => commit(() => addCall('ada', AT, { ...USAGE, cost: COST }));
  await Promise.all([call(), call()]);
  await call();
  expect(on('ada', AT).cost).toEqual({ amount: '0.3', currency: 'EUR' });
});

it('counts no call twice when another session that is stored with it fails', async () => {
  const { addCall, commit, on } = openUsage();
  const settled = await Promise.allSettled([
    commit(() => addCall('ada', AT, USAGE)),
    commit(() => {
      addCall('ada', AT, USAGE);
      throw new Error('no');
    }),
    commit(() => addCall('eve', AT, USAGE)),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([on('ada', AT).calls, on('eve', AT).calls]).toEqual([1, 1]);
});

it('names 100 models a day, and counts all others as one: a server may say another name at each call', async () => {
  const { addCall, commit, on } = openUsage();
  const names = Array.from({ length: 150 }, (_, i) => `m${i}`);
  for (const model of [...names, 'm3']) await commit(() => addCall('ada', AT, { ...USAGE, model, cost: COST }));
  const { models, calls, cost } = on('ada', AT);
  expect(models).toHaveLength(101);
  expect(models.find(({ model }) => model === 'other')?.calls).toBe(50);
  expect(models.find(({ model }) => model === 'm3')?.calls).toBe(2);
  expect({ calls, cost: cost?.amount }).toEqual({ calls: 151, cost: '15.1' });
});

it('ends a page of days early where they have many models, and leaves out no day', async () => {
  const { addCall, commit, page } = openUsage();
  const names = Array.from({ length: 100 }, (_, i) => `m${i}`);
  const dayMs = 86_400_000;
  for (let day = 0; day < 45; day += 1)
    await commit(() => {
      for (const model of names) addCall('ada', AT + day * dayMs, { ...USAGE, model });
    });
  const first = page('ada', 500, null);
  const second = page('ada', 500, first.next);
  const third = page('ada', 500, second.next);
  expect([first, second, third].map(({ items }) => items.length)).toEqual([20, 20, 5]);
  expect(third.next).toBeNull();
  expect(new Set([first, second, third].flatMap(({ items }) => items.map(({ day }) => day))).size).toBe(45);
});
