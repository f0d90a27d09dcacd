import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { goldenLines } from '../support/golden/files.ts';

vi.stubGlobal('location', { search: '' });
vi.stubGlobal('document', { documentElement: {} });
const { entryText } = await import('../../src/console/timeline/entry-text.ts');
const { language } = await import('../../src/console/text/language.ts');

afterEach(() => {
  language.value = 'en';
});

const texts = (name: string): string[] =>
  (goldenLines(name) as unknown as TraceEntry[]).map((entry) => entryText(entry));

describe('the line of an entry', () => {
  it('says in plain words what happened, in either language', () => {
    const english = texts('two-items-with-tools');
    expect(english.filter((text) => text.startsWith('item done'))).toHaveLength(2);
    expect(english.at(-1)).toMatch(/^answers: /);
    language.value = 'zh';
    const chinese = texts('two-items-with-tools');
    expect(chinese.at(-1)).toMatch(/^回答：/);
    expect(chinese.filter((text) => text.startsWith('步骤完成'))).toHaveLength(2);
  });
});
