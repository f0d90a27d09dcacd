import { it } from 'vitest';
import { assertFuzz, SEED_VARIABLE } from '../support/fuzz/fuzz.ts';
import { seedsOf } from '../support/seeds/seeds.ts';

const { first: seed } = seedsOf(SEED_VARIABLE, 1);

/** `npm run test:long` makes many more. */
it("100 requests made from the API's description fail nothing", { timeout: 180_000 }, () => assertFuzz(seed, 100));
