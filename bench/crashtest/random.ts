/** A stream of choices that a seed reproduces. It does not influence how the operating system schedules them. */
export interface Random {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number from 0 to `end`, without `end`. */
  below(end: number): number;
  isChance(probability: number): boolean;
  pick<Choice>(choices: readonly Choice[]): Choice;
  /** Waiting time of something that may happen at any moment, by its mean. */
  exponential(mean: number): number;
}

/** Creates the stream of a seed (mulberry32: 32 bits of state, enough for choices that need not be unpredictable). */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    next,
    below,
    isChance: (probability) => next() < probability,
    pick: (choices) => choices[below(choices.length)]!,
    exponential: (mean) => -mean * Math.log(1 - next()),
  };
};
