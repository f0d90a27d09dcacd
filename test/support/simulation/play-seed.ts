import fc from 'fast-check';
import { assertAllLaws } from './all-laws.ts';
import { assertLaws } from './laws.ts';
import { history, historyWithAll } from './moves.ts';
import { playHistory } from './play-history.ts';

/**
 * Seeds whose histories once violated a law, each with its finding. They are played in every run. A seed's history
 * depends on `moves.ts`: if that changes, the history moves to a test of its own. Seeds from before the service had a
 * receiver are played without.
 */
export const FAILED_SEEDS: readonly { seed: number; hasReceiver: boolean; hasAll?: boolean; found: string }[] = [
  {
    seed: 853268625,
    hasReceiver: false,
    found: 'a turn that came just as its session was loaded overtook those that waited for it',
  },
  {
    seed: 1343685748,
    hasReceiver: false,
    found: 'a service that was stopped while it took up open work logged that as a failure',
  },
  {
    seed: 282193684,
    hasReceiver: true,
    hasAll: true,
    found: 'the list of sessions was refused while one of them was removed',
  },
];

/**
 * Plays the history of one seed and asserts the laws of every history. With `shrink` it finds the shortest one that
 * fails. `hasAll`: with all moves; `isNative`: the model answers by calls.
 */
export const playSeed = async (
  seed: number,
  { shrink = false, hasReceiver = true, hasAll = false, isNative = false } = {},
): Promise<void> => {
  const property = hasAll
    ? fc.asyncProperty(historyWithAll, (one) => playHistory({ ...one, isNative }, hasReceiver, assertAllLaws))
    : fc.asyncProperty(history, (one) => playHistory({ ...one, isNative }, hasReceiver, assertLaws));
  try {
    await fc.assert(property, { seed, numRuns: 1, endOnFailure: !shrink });
  } catch (error) {
    const command = `TEST_SEED=${seed} npx vitest run test/engine/simulation.test.ts`;
    throw new Error(`seed ${seed} breaks a law; repeat it with\n  ${command}\n${String(error)}`, { cause: error });
  }
};
