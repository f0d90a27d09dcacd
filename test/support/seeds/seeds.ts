/** Consecutive seeds of random histories, including both ends. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** New seeds are below this: fast-check distinguishes that many, with 32 bits. */
const SEEDS = 2 ** 31;

const { TEST_SEED: given } = process.env;
const [named, one, last = one] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(given ?? '') ?? [];
if (given !== undefined && given !== 'new' && named === undefined)
  throw new Error(`TEST_SEED "${given}" must be "new", a seed or two, as 4711 or 4711-5710`);

/**
 * The seed of everything random in tests: the same in each run, or from the variable `TEST_SEED`, where `new` draws
 * another one.
 */
export const SEED = given === 'new' ? Math.floor(Math.random() * SEEDS) : Number(one ?? 1);

/** The seeds in `TEST_SEED`, as `4711` or `4711-5710`, else `count` seeds from it on. */
export const seedsOf = (count: number): SeedRange => ({ first: SEED, last: Number(last ?? SEED + count - 1) });

/** Splits a range into parts of at most `size` seeds, in order. */
export const blocksOf = ({ first, last }: SeedRange, size: number): SeedRange[] =>
  Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, block) => ({
    first: first + block * size,
    last: Math.min(first + (block + 1) * size - 1, last),
  }));
