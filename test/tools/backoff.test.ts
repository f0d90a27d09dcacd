import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/lib/backoff.ts';

const pauses = (backoff: Parameters<typeof backoffMs>[0], random?: () => number) =>
  [1, 2, 3, 4].map((failures) => backoffMs(backoff, failures, random));

describe('The pauses between tries', () => {
  it('double from the first one up to the longest', () => {
    expect(pauses({ firstMs: 500 })).toEqual([500, 1_000, 2_000, 4_000]);
    expect(pauses({ firstMs: 1_000, maxMs: 3_000 })).toEqual([1_000, 2_000, 3_000, 3_000]);
    expect(pauses({ firstMs: 1_000, factor: 10, maxMs: 60_000 })).toEqual([1_000, 10_000, 60_000, 60_000]);
  });

  it('stay under the longest after any number of failures', () => {
    expect(backoffMs({ firstMs: 1_000, maxMs: 60_000 }, 5_000)).toBe(60_000);
  });

  it('are up to half shorter with jitter', () => {
    expect(pauses({ firstMs: 500 }, () => 1)).toEqual([250, 500, 1_000, 2_000]);
    expect(pauses({ firstMs: 500 }, () => 0.5)).toEqual([375, 750, 1_500, 3_000]);
  });
});
