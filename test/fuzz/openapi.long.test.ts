import { it } from 'vitest';
import { assertFuzz } from '../support/fuzz/fuzz.ts';
import { SEED } from '../support/seeds/seeds.ts';

it(`5_000 requests made from the API's description fail nothing, with seed ${SEED}`, { timeout: 1_800_000 }, () =>
  assertFuzz(SEED, 5_000),
);
