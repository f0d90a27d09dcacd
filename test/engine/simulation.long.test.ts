import { describe, it } from 'vitest';
import { blocksOf, seedsOf } from '../support/seeds/seeds.ts';
import { playSeed } from '../support/simulation/play-seed.ts';

/** Histories that are played, each from a seed of its own. */
const SEEDS = 300;

/** A block takes two seconds of an idle machine: the time that a test has stays far above it on a busy one. */
const BLOCK = 20;

describe.each([
  ['by text', false],
  ['by calls', true],
])('A service to which anything may happen, and whose model answers %s, keeps its laws', (_, isNative) => {
  it.each(blocksOf(seedsOf(SEEDS), BLOCK))('with the seeds $first to $last', async ({ first, last }) => {
    for (let seed = first; seed <= last; seed += 1) await playSeed(seed, { isNative });
  });

  it.each(blocksOf(seedsOf(SEEDS), BLOCK))('with all moves and the seeds $first to $last', async ({ first, last }) => {
    for (let seed = first; seed <= last; seed += 1) await playSeed(seed, { hasAll: true, isNative });
  });
});
