import { describe, expect, it } from 'vitest';
import { parseNdjson, type TextChunks } from '../../src/history/parse-ndjson.ts';

const read = async (chunks: TextChunks): Promise<unknown[]> => {
  const values: unknown[] = [];
  for await (const value of parseNdjson(chunks)) values.push(value);
  return values;
};

describe('a trace as text', () => {
  it('gives one value a line, with or without a last line end', async () => {
    expect(await read(['{"a":1}\n{"b":2}\n'])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(await read(['{"a":1}\n{"b":2}'])).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('passes over blank lines, carriage returns and a byte order mark', async () => {
    expect(await read(['{"a":1}\r\n\r\n  \n{"b":2}\r\n'])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(await read([Buffer.from('\uFEFF{"a":1}\n')])).toEqual([{ a: 1 }]);
  });

  it('may come in pieces of any size, also through the middle of a character', async () => {
    const bytes = Buffer.from('{"步":"计划🙂"}\n{"b":2}\n');
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await read(pieces)).toEqual([{ 步: '计划🙂' }, { b: 2 }]);
  });

  it('names the line that is no JSON, counting blank ones', async () => {
    await expect(read(['{"a":1}\n\n{"b":\n'])).rejects.toMatchObject({
      code: 'TRACE_NOT_READABLE',
      message: expect.stringContaining('Line 3'),
    });
  });
});
