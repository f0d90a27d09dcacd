import { afterEach, describe, expect, it } from 'vitest';
import { callsOf } from '../../src/console/history/calls.ts';
import { traceOf } from '../support/golden/moments.ts';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';
import { consoleLanguage } from './console-language.ts';

const speak = await consoleLanguage();
const { callWords } = await import('../../src/console/timeline/call-text.ts');

afterEach(() => speak('en'));

/** The lines of the model's thoughts. */
const thoughts = (task: DrivenTask): string[] => {
  const entries = traceOf(task);
  return callsOf(entries)
    .filter(({ effect }) => effect?.type === 'model.thought')
    .map((call) => {
      const { title, note } = callWords(call, entries);
      return `${title} ${note}`.trim();
    });
};

describe('a thought in the timeline', () => {
  it('says what it decided: a tool, each of several once, a question, or the end of its item', () => {
    const read = openTask().plans('Read').acts('add 1').observes('added').reads(['a', 'b']).observesAll('A', 'B');
    expect(thoughts(read)).toEqual(['Think → todo', 'Think → search', 'Think']);
    expect(thoughts(openTask().plans('Read').asks('Which?'))).toEqual(['Think → asks you']);
    expect(thoughts(openTask().plans('Read', 'Write').finishes())[0]).toBe('Think → item done');
    expect(thoughts(openTask().plans('Read', 'Write').blocks())[0]).toBe('Think → item blocked');
    speak('zh');
    expect(thoughts(openTask().plans('Read').asks('Which?'))).toEqual(['思考 → 向你提问']);
  });
});
