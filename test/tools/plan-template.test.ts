import { expect, it } from 'vitest';
import { filled, placeholdersIn } from '../../src/tools/planning/plan-template.ts';

const fill = (text: string, values: Record<string, string>): string => filled(text, new Map(Object.entries(values)));

it('a name in braces is a placeholder, once for all texts, in any script', () => {
  expect(placeholdersIn('Fly to {city}', 'Back from {city} on {day-2}', '去{城市}')).toEqual(['city', 'day-2', '城市']);
});

it('a name in double braces stands for itself in single ones, and any other brace is a brace', () => {
  const text = 'Write {{name}} as {"a": 1}, {}, { b } and {2}';
  expect(placeholdersIn(text)).toEqual([]);
  expect(fill(text, { name: 'x' })).toBe('Write {name} as {"a": 1}, {}, { b } and {2}');
});

it('a value is data: its braces are not read again, and it is no pattern', () => {
  expect(fill('{a} and {b}', { a: '{b}', b: '$& {{a}}' })).toBe('{b} and $& {{a}}');
});
