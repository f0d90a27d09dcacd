import { expect, it } from 'vitest';
import { jsonIn } from '../../src/console/design/json-text.ts';

it('reads objects and arrays, keeps the digits of large integers, and leaves all other texts as they are', () => {
  expect(jsonIn(' {"order": 1043, "paid": 19.9, "card": 9007199254740993} ')).toEqual({
    order: 1043,
    paid: 19.9,
    card: 9007199254740993n,
  });
  expect(jsonIn('[1, "a"]')).toEqual([1, 'a']);
  for (const text of ['', 'add milk', '12', '"a"', '{"a": 1', '[ ] done', '['.repeat(100_000)])
    expect(jsonIn(text)).toBe(null);
});
