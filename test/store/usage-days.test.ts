import { expect, it, onTestFinished } from 'vitest';
import type { CallUsage } from '../../contracts/usage.ts';
import { noQueries } from '../../src/lib/queries.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { addCall } from '../../src/store/sql/usage.ts';
import { storeInMemory } from '../support/engine/empty-store.ts';

const AT = Date.UTC(2026, 0, 5, 23, 59);
const USAGE = { input_tokens: 10, output_tokens: 3, model: 'm' };
const COST = { amount: '0.1', currency: 'EUR' };

const openUsage = () => {
  const { db, sql } = storeInMemory();
  onTestFinished(() => void db.close());
  const { access } = createStore(sql);
  /** Stores a call in the commit of a session of its own. */
  const store = (owner: string, usage: CallUsage, then = () => {}): Promise<void> =>
    sql.write(owner, (calls) =>
      noQueries(() => {
        addCall(calls, owner, AT, usage);
        then();
      }),
    );
  return { store, on: (owner: string) => access.usedOn(owner, AT) };
};

it('adds up the calls of sessions that are stored together, each model and currency apart', async () => {
  const { store, on } = openUsage();
  const calls = [USAGE, { ...USAGE, cost: COST }, { ...USAGE, cost: COST }, { ...USAGE, model: 'n' }];
  await Promise.all(calls.map((usage) => store('ada', usage)));
  await store('ada', { ...USAGE, cost: COST });
  const { day, calls: count, usage, models } = await on('ada');
  expect({ day, count, input: usage.input_tokens }).toEqual({ day: '2026-01-05', count: 5, input: 50 });
  expect(models).toMatchObject([
    { model: 'm', calls: 4 },
    { model: 'n', calls: 1 },
  ]);
});

it('counts no call twice when another session that is stored with it fails', async () => {
  const { store, on } = openUsage();
  const fail = (): never => {
    throw new Error('no');
  };
  const settled = await Promise.allSettled([store('ada', USAGE), store('ada', USAGE, fail), store('eve', USAGE)]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([(await on('ada')).calls, (await on('eve')).calls]).toEqual([1, 1]);
});
