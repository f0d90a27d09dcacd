import { afterEach, describe, expect, it } from 'vitest';
import { taskArrows } from '../../machines/arrows.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { arrowWords } = await import('../../src/console/machine/arrow-words.ts');

afterEach(() => speak('en'));

const CHINESE = /[\u4e00-\u9fff]/;

describe('why a transition of the machine is taken', () => {
  it.each(taskArrows().map(({ id, event, guard }) => ({ id, event, guard })))('is said in words: $id', (arrow) => {
    expect(arrowWords(arrow)).not.toMatch(/[a-z][A-Z]|\w\.\w| · /);
    speak('zh');
    expect(arrowWords(arrow)).toMatch(CHINESE);
  });

  it('is its event and guard where a later machine has others', () => {
    expect(arrowWords({ event: 'moon.rose', guard: 'isFull' })).toBe('moon.rose · isFull');
    expect(arrowWords({ event: 'moon.rose', guard: null })).toBe('moon.rose');
  });
});
