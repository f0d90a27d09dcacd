import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonChanges } from '../../src/history/json-changes.ts';

describe('the difference of two values', () => {
  it('is nothing between the same', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonChanges(value, structuredClone(value)).length === 0));
  });

  it('is something between others', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(jsonChanges(one, other).length === 0).toBe(isSame);
      }),
    );
  });

  it('names the member that changed, came or went', () => {
    expect(jsonChanges({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 4, c: 2 }, e: 5 })).toEqual([
      { path: ['a', 'b'], before: 1, after: 4 },
      { path: ['d'], before: 3, after: undefined },
      { path: ['e'], before: undefined, after: 5 },
    ]);
  });

  it('names what was put into a list, and not what moved for it', () => {
    expect(jsonChanges(['a', 'b', 'c'], ['a', 'x', 'b', 'c'])).toEqual([{ path: [1], before: undefined, after: 'x' }]);
    expect(jsonChanges(['a', 'b', 'c'], ['b', 'c'])).toEqual([{ path: [0], before: 'a', after: undefined }]);
  });
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
};
