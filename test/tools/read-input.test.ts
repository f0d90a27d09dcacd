import { describe, expect, it } from 'vitest';
import { REASON_ISSUES_MAX } from '../../contracts/limits.ts';
import { readInput } from '../../src/tools/defined/read-input.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** A schema of a list whose items have so many fields, all of them required, each named so often. */
const listOf = (fields: number, times = 1) => {
  const names = Array.from({ length: fields }, (_, i) => `k${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, {}]));
  const required = Array.from({ length: times }, () => names).flat();
  return { type: 'object', properties: { list: { type: 'array', items: { type: 'object', properties, required } } } };
};

const inputOf = (item: string, count: number): string => `{"list":[${Array(count).fill(item).join(',')}]}`;

describe('an input of many parts, for a schema of many fields,', () => {
  it.each([
    ['that all are missing', listOf(1_000), inputOf('{}', 2_000), REASON_ISSUES_MAX],
    ['that all are unknown', listOf(1_000), inputOf('{"a":1,"b":2}', 2_000), REASON_ISSUES_MAX],
    ['that one name requires often', listOf(1, 4_000), inputOf('{"k0":1}', 2_000), 0],
  ])('is read at once: fields %s', MEASURED_AGAIN, async (_, schema, input, problems) => {
    const blockedMs = await longestBlock(async () => {
      const read = readInput(input, 'probe', schema, 'en');
      expect('problems' in read ? read.problems : []).toHaveLength(problems);
    });
    expect(blockedMs).toBeLessThan(50);
  });

  it('names the first problems in their order', () => {
    expect(readInput(inputOf('{"x":1}', 3), 'probe', listOf(2), 'en')).toEqual({
      problems: [
        '"list.[0].k0" is missing',
        '"list.[0].k1" is missing',
        'there is no field "list.[0].x"',
        '"list.[1].k0" is missing',
        '"list.[1].k1" is missing',
      ],
    });
  });
});
