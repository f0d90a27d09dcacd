import { it } from 'vitest';
import { assertFuzz, SEED_VARIABLE } from '../support/fuzz/fuzz.ts';
import { seedsOf } from '../support/seeds/seeds.ts';

/** `npm run test:long` makes many more. */
const REQUESTS = 500;

/** Far above the seconds that it takes, for a machine that does other things meanwhile. */
const RUN_MS_MAX = 180_000;

const { first: seed } = seedsOf(SEED_VARIABLE, 1);

it(
  `${REQUESTS} requests made from the API's description fail nothing, with seed ${seed}`,
  {
    timeout: RUN_MS_MAX,
  },
  () => assertFuzz(seed, REQUESTS),
);
