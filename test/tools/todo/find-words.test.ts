import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createWordFinder } from '../../../src/tools/todo/find-words.ts';

const few = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '中', '丮', '😀'), minLength, maxLength });

it('a text has all words where it has each of them', () => {
  fc.assert(
    fc.property(fc.array(few(1, 4), { minLength: 1, maxLength: 20 }), few(0, 40), (words, text) => {
      expect(createWordFinder(words)(Buffer.from(text))).toBe(words.every((word) => text.includes(word)));
    }),
  );
});
