import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainLine } from '../../contracts/text.ts';

/** Any character, often one that a line must not have. The unit 'binary' of fast-check builds a table of all of them first. */
const unit = fc.oneof(
  fc.constantFrom('a', ' ', '\n', '\t', '[', '\u001b', '\u009b', '\u202e', '\u2028', '🥛'),
  fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code).toWellFormed()),
);

describe('a text as one line', () => {
  it('is the text itself when that is short and plain', () => {
    expect(plainLine('Add milk 🥛 到清单', 40)).toBe('Add milk 🥛 到清单');
  });

  it('loses escape sequences, line ends and direction marks, and runs of spaces', () => {
    expect(plainLine(' a\u001b[31mb\u001b[0m\r\n\tc\u202ed\u2028e ', 40)).toBe('ab c d e');
  });

  it('ends in … where it was cut', () => {
    expect(plainLine('x'.repeat(50), 10)).toBe('xxxxxxxxx…');
    expect(plainLine(' '.repeat(500), 10)).toBe('');
  });

  it('is never too long, never ill-formed and never more than one line', () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), fc.integer({ min: 2, max: 50 }), (text, max) => {
        const line = plainLine(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
      }),
    );
  });
});
