import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takeNew } from '../../src/console/api/stream-position.ts';

/** Messages of a session: each entry has some, under its seq. */
const sessionOf = (sizes: readonly number[]) =>
  sizes.flatMap((size, index) =>
    Array.from({ length: size }, (_, i) => ({ id: index + 1, text: `${index + 1}.${i}` })),
  );

describe('a stream that breaks and is opened again at its last entry', () => {
  it('gives every message once and in order, wherever it breaks', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, fc.array(fc.nat({ max: 8 }), { maxLength: 20 }), (sizes, breaks) => {
        const all = sessionOf(sizes);
        const position = { id: 0, count: Number.POSITIVE_INFINITY };
        const taken: string[] = [];
        for (const length of [...breaks, all.length]) {
          const begin = Math.max(0, position.id - 1);
          const stream = all.filter(({ id }) => id > begin).slice(0, length);
          const seen = { id: 0, count: 0 };
          for (const message of stream) taken.push(...takeNew([message], position, seen).map(({ text }) => text));
        }
        expect(taken).toEqual(all.map(({ text }) => text));
      }),
    );
  });

  it('begins behind an entry that the reader has', () => {
    const position = { id: 2, count: Number.POSITIVE_INFINITY };
    const stream = sessionOf([1, 2, 2]).filter(({ id }) => id > 1);
    expect(takeNew(stream, position, { id: 0, count: 0 }).map(({ text }) => text)).toEqual(['3.0', '3.1']);
  });
});
