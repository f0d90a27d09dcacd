import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskSecrets } from '../src/lib/mask-secrets.ts';
import { longestBlock, MEASURED_AGAIN } from './support/longest-block.ts';

/** What masking is, one secret after the other. */
const maskedOneByOne = (secrets: readonly string[], text: string): string =>
  [
    ...new Set(
      secrets.flatMap((secret) => {
        const json = JSON.stringify(secret).slice(1, -1);
        return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret)];
      }),
    ),
  ]
    .filter(({ length }) => length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((kept, secret) => kept.replaceAll(secret, '[redacted]'), text);

const texts = (pieces: string[], length: { minLength?: number; maxLength: number }) =>
  fc.array(fc.constantFrom(...pieces), length).map((parts) => parts.join(''));

it('masks what one secret after the other would, the longest first, however they overlap', () => {
  const secret = texts(['x', 'y', '"', '/', '中', '😀'], { minLength: 6, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 5 }).chain((secrets) => {
        const parts = secrets.flatMap((each) => [
          each,
          JSON.stringify(each),
          encodeURIComponent(each),
          each.replaceAll('/', '\\/'),
          each.slice(2),
          each.slice(0, -1),
        ]);
        return fc.tuple(
          fc.constant(secrets),
          texts([...parts, 'x', 'y', '"', '/', '\\', '中', '😀'], { maxLength: 12 }),
        );
      }),
      ([secrets, text]) => {
        expect(maskSecrets(secrets)(text)).toBe(maskedOneByOne(secrets, text));
      },
    ),
    { numRuns: 2_000 },
  );
});

const keys = Array.from({ length: 1_000 }, (_, n) => `sk-company-production-${String(n * 7_919).padStart(12, '0')}`);

it.each([
  ['the beginning that they share', 'sk-company-production-'],
  ['all of them but for their last characters', keys.map((key) => key.slice(0, -1)).join('')],
  ['all of them', keys.join(' ')],
  ['one of them', keys[500]!],
])('masks a thousand keys in a text that repeats %s', MEASURED_AGAIN, async (_, part) => {
  const mask = maskSecrets(keys);
  const text = Buffer.alloc(1_000_000, part).toString();
  expect(await longestBlock(async () => void mask(text))).toBeLessThan(50);
});
