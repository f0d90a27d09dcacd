import { hash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { problemTypes } from '../../contracts/error-code.ts';
import { limitViews, serviceLimitsWith } from '../../contracts/service-limits.ts';
import { BUILT_IN_TOOLS } from '../../src/config/settings.ts';
import { parseNdjson } from '../../src/history/parse-ndjson.ts';
import { createTraceFold } from '../../src/history/trace.ts';
import { goldenLines } from '../support/golden/files.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { chineseLimits, limitText } = await import('../../src/console/system/limits-part.tsx');
const { chineseTools } = await import('../../src/console/system/tool-text.ts');
const { chineseProblems } = await import('../../src/console/text/problem-texts.ts');
const { refusalText } = await import('../../src/console/trace-file/texts.ts');

afterEach(() => speak('en'));

const CHINESE = /[\u4e00-\u9fff]/;
const limits = limitViews(serviceLimitsWith());

/** The trace code's message for lines that don't belong to a trace. */
const refusalOf = async (chunks: (string | Uint8Array)[]): Promise<string> => {
  const fold = createTraceFold((text) => hash('sha256', text));
  try {
    for await (const line of parseNdjson(chunks)) fold.fold(line);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It was not refused.');
};

describe('the console in Chinese', () => {
  it.each(limits)('says why $name is limited', (limit) => {
    expect(limitText(limit)).toEqual({ unit: limit.unit, reason: limit.reason });
    speak('zh');
    expect(limitText(limit).reason).toMatch(CHINESE);
    expect(limitText(limit).unit).toMatch(CHINESE);
  });

  it('has texts for exactly the existing limits, tools and refusals', () => {
    expect(Object.keys(chineseLimits).sort()).toEqual(limits.map(({ name }) => name).sort());
    expect(Object.keys(chineseTools).sort()).toEqual([...BUILT_IN_TOOLS].sort());
    expect(Object.keys(chineseProblems).sort()).toEqual([...problemTypes].sort());
  });

  it('words a limit that it does not know as the service does', () => {
    speak('zh');
    const limit = { ...limits[0]!, name: 'of_another_version', reason: 'It is new.' };
    expect(limitText(limit).reason).toBe('It is new.');
  });

  const [first] = goldenLines('two-items-with-tools');
  it.each([
    ['no JSON', ['Dear machine,\n'], '它不是一个完整的 JSON 值'],
    ['another version', [JSON.stringify({ ...first, v: 99 })], '它的版本是 99'],
    ['another form', [JSON.stringify({ ...first, event: { type: 'none' } })], '它不是轨迹记录的格式'],
  ])('says why it refuses %s', async (_, lines, said) => {
    const message = await refusalOf(lines);
    speak('zh');
    expect(refusalText(message)).toContain(said);
    speak('en');
    expect(message).toContain(refusalText(message).split(' ').at(-1));
  });
});
