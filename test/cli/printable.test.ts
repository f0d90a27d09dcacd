import { expect, it } from 'vitest';
import { jsonLine, printable } from '../../src/lib/printable.ts';

it.each([
  { text: 'two\n  lines\tand a tab, 中文 and 👩‍👩‍👧', shown: 'two\n  lines\tand a tab, 中文 and 👩‍👩‍👧' },
  { text: '\u001b[2J\u001b[31mred\u001b[0m', shown: 'red' },
  { text: '\u001b]0;a title\u0007after', shown: 'after' },
  { text: 'over\rwritten\b\u007f\u009b1A', shown: 'overwritten' },
  { text: 'evil\u202egnp.exe', shown: 'evilgnp.exe' },
])('a reply is shown without what could steer a terminal: $shown', ({ text, shown }) => {
  expect(printable(text)).toBe(shown);
});

it('a value as JSON loses nothing and steers nothing', () => {
  const value = { text: 'a\u009b1A\u202eb\n\u2028' };
  const line = jsonLine(value);
  expect(line).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(line)).toEqual(value);
});
