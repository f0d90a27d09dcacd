import { afterEach, describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { goldenLines } from '../support/golden/files.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { entryText } = await import('../../src/console/timeline/entry-text.ts');

afterEach(() => speak('en'));

const texts = (name: string): string[] =>
  (goldenLines(name) as unknown as TraceEntry[]).map((entry) => entryText(entry));

describe('the line of an entry', () => {
  it('says in plain words what happened, in either language', () => {
    const english = texts('two-items-with-tools');
    expect(english.filter((text) => text.startsWith('item done'))).toHaveLength(2);
    expect(english.filter((text) => text.startsWith('to do: '))).toHaveLength(1);
    speak('zh');
    const chinese = texts('two-items-with-tools');
    expect(chinese.filter((text) => text.startsWith('待办：'))).toHaveLength(1);
    expect(chinese.filter((text) => text.startsWith('步骤完成'))).toHaveLength(2);
  });
});
