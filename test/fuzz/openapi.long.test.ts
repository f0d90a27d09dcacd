import { it } from 'vitest';
import { assertFuzz, SEED_VARIABLE } from '../support/fuzz/fuzz.ts';
import { seedsOf } from '../support/seeds/seeds.ts';

const { first: seed } = seedsOf(SEED_VARIABLE, 1);

it("5_000 requests made from the API's description fail nothing", { timeout: 1_800_000 }, () =>
  assertFuzz(seed, 5_000),
);
