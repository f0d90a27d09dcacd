import { expect, it } from 'vitest';
import { OBSERVATION_CHARS_MAX } from '../../contracts/limits.ts';
import { resultJson } from '../../src/tools/defined/result-json.ts';

/** Numbers in as many lists as are asked for, which count when they are written. */
const countedLists = (lists: number, length: number) => {
  const written = { count: 0 };
  const entry = {
    toJSON: () => {
      written.count += 1;
      return 1;
    },
  };
  return { written, value: Array.from({ length: lists }, () => Array(length).fill(entry)) };
};

it('a result is written as JSON.stringify writes it', () => {
  const value = { a: [1, undefined, null, 'x', { b: new Date(0) }], c: undefined, d: Number.NaN, e: () => 1 };
  for (const given of [value, 'text', 5, null, undefined, Symbol('s'), Buffer.from('abc'), Array(1_000).fill('汉')])
    expect(resultJson(given)).toBe(JSON.stringify(given));
  expect(() => resultJson(5n)).toThrow(/BigInt/);
});

it.each([
  ['a list without end', () => new Array(1_000_000_000), '[null,null,'],
  ['many bytes', () => new Uint8Array(50_000_000).fill(7), '{"0":7,"1":7,'],
  ['a file', () => Buffer.alloc(50_000_000), '{"type":"Buffer","data":[0,0,'],
  ['one long text again and again', () => Array(5_000).fill('x'.repeat(1_000_000)), '["xxx'],
  ['itself, twice at each level', () => Array.from({ length: 60 }).reduce((inner) => [inner, inner], 1), '[[[['],
])('of %s only the beginning is written, and marked as cut', (_, make, beginning) => {
  const json = resultJson(make()) ?? '';
  expect(json.length).toBeGreaterThan(OBSERVATION_CHARS_MAX);
  expect(json.length).toBeLessThan(3 * OBSERVATION_CHARS_MAX);
  expect(json.startsWith(beginning)).toBe(true);
  expect(json.endsWith('… [cut]')).toBe(true);
});

it('of a thousand long lists a bounded number of values is looked at', () => {
  const { written, value } = countedLists(1_000, 1_000);
  resultJson(value);
  expect(written.count).toBeLessThan(4 * OBSERVATION_CHARS_MAX);
});
