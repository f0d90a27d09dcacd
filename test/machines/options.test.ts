import { describe, expect, it } from 'vitest';
import { ThoughtAnswer } from '../../contracts/answer.ts';
import { chosenOption } from '../../machines/questions.ts';
import { openTask } from '../support/machine/task-driver.ts';

const asking = { status: 'ask_user', current_step: 'now', question: 'Which day?' };

describe('The options of a question', () => {
  it('are read with ask_user only, and no option is none', () => {
    expect(ThoughtAnswer.parse({ ...asking, options: [' Monday ', 'Friday'] }).options).toEqual(['Monday', 'Friday']);
    for (const options of [[], null, ''])
      expect(ThoughtAnswer.parse({ ...asking, options })).not.toHaveProperty('options');
    expect(ThoughtAnswer.parse({ status: 'done', options: ['a'] })).not.toHaveProperty('options');
  });

  it.each([[Array(11).fill('a')], [['']], [['x'.repeat(201)]], ['Monday']])('are refused as %j', (options) => {
    expect(ThoughtAnswer.safeParse({ ...asking, options }).success).toBe(false);
  });

  it('are meant by an answer that is their number or their text', () => {
    const answered = (text: string) => {
      const task = openTask().plans('A').asks('Which day?', ['Monday', 'Friday']).answers(text);
      return task.context.clarification_history;
    };
    expect(answered('2')).toEqual([{ question: 'Which day?', text: 'Friday' }]);
    expect(answered('never')).toEqual([{ question: 'Which day?', text: 'never' }]);
  });
});

describe('An answer to options', () => {
  it.each([
    ['2', 'Friday'],
    ['２', 'Friday'],
    ['2、', 'Friday'],
    ['friday!', 'Friday'],
    ['0', '0'],
    ['Monday or Friday', 'Monday or Friday'],
    ['2 o’clock', '2 o’clock'],
  ])('%s means %s', (answer, meant) => {
    expect(chosenOption(['Monday', 'Friday'], answer)).toBe(meant);
  });

  it("means an option's own text before its number", () => {
    expect(chosenOption(['3', '2', '1'], '1')).toBe('1');
  });
});
