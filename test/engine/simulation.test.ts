import { describe, it } from 'vitest';
import { seedsOf } from '../support/seeds/seeds.ts';
import { FAILED_SEEDS, playSeed } from '../support/simulation/play-seed.ts';

/** Histories that are played each time: few, for `npm run test:long` plays many. */
const SEEDS = 10;

/** Time to make one failing history as short as it can be, in milliseconds. */
const SHRINK_MS_MAX = 600_000;

/** Of these, those that are played with all moves, too. */
const FULL_SEEDS = 4;

const { first, last } = seedsOf(SEEDS);
const lastFull = Math.min(last, first + FULL_SEEDS - 1);
const isOne = first === last;

describe('A service to which anything may happen keeps its laws', () => {
  it.each(FAILED_SEEDS)('with seed $seed, which once found that $found', ({ seed, ...moves }) => playSeed(seed, moves));

  describe.each([
    ['by text', false],
    ['by calls', true],
  ])('whose model answers %s', (_, isNative) => {
    it(`with the seeds ${first} to ${last}`, { timeout: isOne ? SHRINK_MS_MAX : 180_000 }, async () => {
      for (let seed = first; seed <= last; seed += 1) await playSeed(seed, { shrink: isOne, isNative });
    });

    it(`with all moves and the seeds ${first} to ${lastFull}`, {
      timeout: isOne ? SHRINK_MS_MAX : 180_000,
    }, async () => {
      for (let seed = first; seed <= lastFull; seed += 1)
        await playSeed(seed, { shrink: isOne, hasAll: true, isNative });
    });
  });
});
