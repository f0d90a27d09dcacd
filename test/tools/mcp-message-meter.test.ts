import { describe, expect, it } from 'vitest';
import { MCP_MESSAGE_BYTES_MAX, MCP_MESSAGE_VALUES_MAX } from '../../contracts/limits.ts';
import { createMessageMeter, type MessageEnd } from '../../src/message-meter.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** Passes a text through a meter in chunks as a pipe gives them. */
const pass = (end: MessageEnd, text: string): void => {
  const meter = createMessageMeter(end);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_536) meter(bytes.subarray(at, at + 65_536));
};

const many = JSON.stringify(Array.from({ length: MCP_MESSAGE_VALUES_MAX }, () => 1));

describe('A message of an MCP server', () => {
  it.each<[string, string]>([
    ['a text of many commas, brackets and quotes', JSON.stringify({ text: '[{,:"\\'.repeat(100_000) })],
    ['a long picture', JSON.stringify({ data: 'QUJD'.repeat(900_000) })],
    ['as many values as one may have', many],
  ])('is let through: %s', (_, text) => {
    expect(() => pass('line', `${text}\n`)).not.toThrow();
  });

  it.each<[string, string]>([
    ['too many bytes', JSON.stringify('x'.repeat(MCP_MESSAGE_BYTES_MAX))],
    ['too many values', `[${many},1]`],
    ['too many levels', '['.repeat(MCP_MESSAGE_VALUES_MAX + 1)],
    ['too many values behind a string that a line cut', `{"a":"\n[${many},1]`],
  ])('is refused before it is parsed: %s', (_, text) => {
    expect(() => pass('body', text)).toThrow(/more than/);
  });

  it.each<[string, string, number]>([
    ['texts that are plain', '[{,:', 10],
    ['texts with quotes and backslashes', '[{,:"\\', 10],
    ['texts that end in a backslash', '[{,:\\', 10],
    ['empty texts', '', 0],
  ])('of %s has as many values in a body as in a line', (_, text, times) => {
    const values = (count: number) => JSON.stringify(Array(count).fill(text.repeat(times)));
    for (const end of ['line', 'body'] as const) {
      expect(() => pass(end, values(MCP_MESSAGE_VALUES_MAX))).not.toThrow();
      expect(() => pass(end, values(MCP_MESSAGE_VALUES_MAX + 1))).toThrow(/values/);
    }
  });

  it('counts for itself: many small ones are no large one', () => {
    const small = JSON.stringify({ list: [1, 2, 3] });
    expect(() => pass('line', `${small}\n`.repeat(100_000))).not.toThrow();
    expect(() => pass('empty_line', `event: message\r\ndata: ${small}\r\n\r\n`.repeat(50_000))).not.toThrow();
    expect(() => pass('body', `${small}\n`.repeat(100_000))).toThrow(/values/);
    expect(() => pass('empty_line', `data: ${small}\n`.repeat(50_000))).toThrow(/values/);
  });

  it('is measured in short pieces of work', MEASURED_AGAIN, async () => {
    const meter = createMessageMeter('line');
    const chunk = Buffer.from('{"a":"\\""}, '.repeat(6_000)).subarray(0, 65_536);
    expect(await longestBlock(async () => expect(() => meter(chunk)).not.toThrow())).toBeLessThan(50);
  });
});
