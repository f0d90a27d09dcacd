import { describe, expect, test } from 'vitest';
import { JSON_DEPTH_MAX } from '../../contracts/limits.ts';
import { ANSWER_CHARS_MAX, REPAIR_CHARS_MAX } from '../../src/model-reply/limits.ts';
import { readPlan, readReplan, readThought } from '../../src/model-reply/read-answer.ts';

const nested = (levels: number): string => `{"status":"done","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const filled = (unit: string, before = '', after = ''): string =>
  before + unit.repeat(Math.floor((ANSWER_CHARS_MAX - before.length - after.length) / unit.length)) + after;

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

  test('of what is repaired is bounded', () => {
    const sloppy = (length: number) => `{"status":"done",${' '.repeat(length - 18)}}`;
    expect(readThought(sloppy(REPAIR_CHARS_MAX))).toMatchObject({ ok: true, reader: 'repaired' });
    expect(readThought(sloppy(REPAIR_CHARS_MAX + 1))).toEqual({ ok: false, reason: expect.stringMatching(/too long/) });
  });

  // Each of these, were it read in quadratic time, would outlast the test by hours.
  test.each([
    ['braces before blanks', filled(' ', '{', '!')],
    ['braces with comments', filled('{/*')],
    ['words in braces', filled('{ab ')],
    ['back ticks', filled('`')],
    ['fences', filled('``` ')],
    ['a fence before blanks', filled(' ', '```', '!{"status":1}```')],
    ['tildes', filled('~')],
    ['blanks before tildes', filled(' ', 'a\n', '~~~')],
    ['think tags', filled('<think>')],
    ['think tags that close', filled('<think></think>')],
    ['closing think tags', filled('</think>')],
    ['open think tags with blanks', filled('<think ')],
    ['empty objects', filled('{}')],
    ['empty objects in fences', filled('```{}```')],
    ['quotes', filled('"', '{')],
    ['backslashes', filled('\\', '{"')],
    ['escapes', filled('\\"', '{"a":"', '"}')],
    ['keys on lines of their own', filled('"a"\n', '{')],
    ['strings before comments', filled('"a"/**/\n', '{')],
    ['slashes', filled('/', '{"a":')],
    ['commas', filled(',', '{"a":1', '}')],
    ['curly quotes', filled('“”', '{')],
    ['numbers', filled('1', '{"a":', '}')],
    ['blank lines', filled('\n', 'a', 'b')],
    ['lines of blanks', filled('1.\t ', '', 'b')],
    ['dashes', filled('- ')],
    ['brackets', filled('[ ')],
  ])('costs no more than its length: %s', (_what, text) => {
    for (const read of [readPlan, readThought, readReplan]) expect(read(text).ok).toBe(false);
  });
});
