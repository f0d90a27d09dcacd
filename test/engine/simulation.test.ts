import fc from 'fast-check';
import { describe, it } from 'vitest';
import { assertLaws } from '../support/simulation/laws.ts';
import { history } from '../support/simulation/moves.ts';
import { playHistory } from '../support/simulation/play-history.ts';

/** Random histories that are played, each from a seed of its own; `SIMULATION_SEED` plays one, and makes it smaller. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 1_000);
const BLOCK = 100;
const ONE_SEED = process.env['SIMULATION_SEED'];

const play = async (seed: number): Promise<void> => {
  const property = fc.asyncProperty(history, (one) => playHistory(one, assertLaws));
  try {
    await fc.assert(property, { seed, numRuns: 1, endOnFailure: ONE_SEED === undefined });
  } catch (error) {
    const command = `SIMULATION_SEED=${seed} npx vitest run test/engine/simulation.test.ts`;
    throw new Error(`seed ${seed} breaks a law; repeat it with\n  ${command}\n${String(error)}`, { cause: error });
  }
};

describe('A service to which anything may happen keeps its laws', () => {
  if (ONE_SEED !== undefined) it(`with seed ${ONE_SEED}`, () => play(Number(ONE_SEED)), 600_000);
  else
    it.each(
      Array.from({ length: Math.ceil(SEEDS / BLOCK) }, (_, block) => [
        block * BLOCK + 1,
        Math.min((block + 1) * BLOCK, SEEDS),
      ]),
    )(
      'with the seeds %i to %i',
      async (first, last) => {
        for (let seed = first!; seed <= last!; seed += 1) await play(seed);
      },
      60_000,
    );
});
