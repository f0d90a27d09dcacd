/** Consecutive seeds of random histories, both ends among them. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** New seeds are below this: as many as fast-check distinguishes, which takes 32 bits. */
const SEEDS = 2 ** 31;

/**
 * The seeds of one run: those that the environment variable names (`4711` or `4711-5710`), else `count` new ones. Prints them with
 * the variable that repeats them. Throws where the variable is neither.
 */
export const seedsOf = (variable: string, count: number, env = process.env): SeedRange => {
  const given = env[variable];
  let range: SeedRange;
  if (given === undefined) {
    const first = Math.floor(Math.random() * (SEEDS - count));
    range = { first, last: first + count - 1 };
  } else {
    const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(given) ?? [];
    range = { first: Number(first), last: Number(last) };
    if (!(range.first <= range.last))
      throw new Error(`${variable} "${given}" must be a seed or two, as 4711 or 4711-5710`);
  }
  console.log(`${variable}=${given ?? (count === 1 ? range.first : `${range.first}-${range.last}`)}`);
  return range;
};

/** Cuts a range into parts of at most `size` seeds, in order. */
export const blocksOf = ({ first, last }: SeedRange, size: number): SeedRange[] =>
  Array.from({ length: Math.ceil((last - first + 1) / size) }, (_, block) => ({
    first: first + block * size,
    last: Math.min(first + (block + 1) * size - 1, last),
  }));
