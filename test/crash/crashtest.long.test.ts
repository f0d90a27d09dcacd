import { expect, it } from 'vitest';
import { cutWithinMessages, isSaid } from '../../bench/crashtest/check-effects.ts';
import { MOMENTS } from '../../bench/crashtest/moments.ts';
import { crashtest } from '../../bench/crashtest/run.ts';
import { SEED } from '../support/seeds/seeds.ts';

/** Far above the half minute that it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 600_000;

it(`25 kills under load lose, double and break nothing, with seed ${SEED}`, { timeout: RUN_MS_MAX }, async () => {
  const [result, ...more] = await crashtest({ kills: 25, seed: SEED, sessions: 24, onKill: () => {} });
  expect(more).toEqual([]);
  const { ledger, entries, hit, todos } = result!;
  expect(ledger.violations).toEqual([]);
  // Noughts mean something only where much happened, at every moment that has a name.
  expect(new Set(hit)).toEqual(new Set(Object.keys(MOMENTS)));
  const repeated = new Set(ledger.purchases.map(({ effect_id }) => effect_id)).size < ledger.purchases.length;
  expect(repeated).toBe(true);
  expect(entries.some(({ event }) => event.type === 'observation.recorded' && !event.ok)).toBe(true);
  expect(ledger.turns.length).toBeGreaterThan(100);
  expect(ledger.runs.length).toBeGreaterThan(50);
  expect(todos.size).toBeGreaterThan(25);
  expect(entries.filter(({ event }) => isSaid(event)).length).toBeGreaterThan(50);
  expect(cutWithinMessages(ledger, entries)).toBeGreaterThan(0);
});
