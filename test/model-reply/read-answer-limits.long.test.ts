import { describe, expect, test } from 'vitest';
import { JSON_DEPTH_MAX } from '../../contracts/limits.ts';
import {
  LANDMARKS_MAX,
  OBJECTS_MAX,
  ODD_CHARS_MAX,
  REPLY_CHARS_MAX,
  TOKENS_MAX,
} from '../../src/models/reply/limits.ts';
import { BLOCKED_MS_MAX, blockedFor } from '../expressions/blocked-for.ts';
import { hostileTexts } from '../expressions/hostile-text.ts';
import { hostileShapes } from './hostile-shapes.ts';
import { readPlan, readReplan, readThought } from './reasons-in.ts';

const nested = (levels: number): string => `{"status":"done","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const filled = (unit: string, before = '', after = ''): string =>
  before + unit.repeat(Math.floor((REPLY_CHARS_MAX - before.length - after.length) / unit.length)) + after;

describe('depth', () => {
  test('is read up to its limit and refused above it', () => {
    expect(readThought(nested(JSON_DEPTH_MAX))).toMatchObject({ ok: true, reader: 'strict' });
    expect(readThought(nested(JSON_DEPTH_MAX + 1))).toEqual({
      ok: false,
      reason: expect.stringContaining('64 levels'),
    });
  });

  test.each([
    ['objects', '{"a":'.repeat(150_000)],
    ['closed objects', `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`],
    ['arrays', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['open arrays', '['.repeat(500_000)],
    ['arrays in prose', `So: ${'['.repeat(400_000)}${']'.repeat(400_000)}`],
    ['bare braces', '{'.repeat(500_000)],
    ['sloppy arrays', `{'a':${'['.repeat(400_000)}${']'.repeat(400_000)},}`],
  ])('of hundreds of thousands of levels of %s overflows nothing', (_what, text) => {
    for (const read of [readPlan, readThought, readReplan]) expect(read(text).ok).toBe(false);
  });
});

describe('length', () => {
  test('of an answer is refused above its limit', () => {
    const at = filled(' ', '{"status":"done"', '}');
    expect(readThought(at)).toMatchObject({ ok: true, reader: 'strict' });
    expect(readThought(at.replace('"done"', '"done" '))).toEqual({
      ok: false,
      reason: expect.stringMatching(/longer/),
    });
  });

  test('of what has to be read escape by escape is bounded', () => {
    const odd = (length: number) => `{"status":"done","x":"${"\\'".repeat(length / 2)}"}`;
    expect(readThought(odd(ODD_CHARS_MAX - 1_000))).toMatchObject({ ok: true, reader: 'repaired' });
    expect(readThought(odd(ODD_CHARS_MAX))).toEqual({ ok: false, reason: expect.stringMatching(/too long/) });
  });

  test('of a list in an object is bounded', () => {
    const list = (items: number) => `{"status":"done","x":[${Array(items).fill(1).join(',')}]}`;
    expect(readThought(list(TOKENS_MAX / 2 - 10))).toMatchObject({ ok: true, reader: 'strict' });
    expect(readThought(list(TOKENS_MAX / 2))).toEqual({ ok: false, reason: expect.stringMatching(/more than/) });
  });

  test.each([
    [
      'objects',
      Array(OBJECTS_MAX + 1)
        .fill('{"status":"done"}')
        .join(' '),
    ],
    ['brackets', `${'{x}'.repeat(LANDMARKS_MAX / 2 + 1)}{"status":"done"}`],
  ])('of %s is bounded', (_what, text) => {
    expect(readThought(text)).toEqual({ ok: false, reason: expect.stringMatching(/more than|too many/) });
  });
});

// The processor time of the fastest of a few readings: neither a busy machine nor the compiling of the code is the reader's.
describe('no text of 1 MB', () => {
  test.each([...hostileShapes, ...hostileTexts(REPLY_CHARS_MAX)])(
    'blocks the event loop for 50 ms: %s',
    (_name, text) => {
      for (const read of [readPlan, readThought, readReplan])
        expect(blockedFor(() => read(text))).toBeLessThan(BLOCKED_MS_MAX);
    },
  );
});
