import { describe, expect, it } from 'vitest';
import { ThoughtAnswer } from '../../contracts/answer.ts';
import { chosenOption } from '../../machines/options.ts';
import { openTask } from '../support/machine/task-driver.ts';

const asking = { status: 'ask_user', current_step: 'now', question: 'Which day?' };

describe('The options of a question', () => {
  it('are read with ask_user only, and an empty list means no options', () => {
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
    const options = ['Monday', 'Friday'];
    expect(answered('2')).toEqual([{ question: 'Which day?', options, text: 'Friday' }]);
    expect(answered('the second one, and make it blue')).toEqual([
      { question: 'Which day?', options, text: 'the second one, and make it blue' },
    ]);
    expect(openTask().plans('A').asks('When?').answers('2').context.clarification_history).toEqual([
      { question: 'When?', text: '2' },
    ]);
  });
});

const asFriday = (answer: string) => [answer, 'Friday'] as const;
const asSaid = (answer: string) => [answer, answer] as const;

describe('An answer to options', () => {
  it.each<readonly [string, string]>([
    ['2', 'Friday'],
    ['２', 'Friday'],
    ['2、', 'Friday'],
    ['friday!', 'Friday'],
    ['0', '0'],
    ['Monday or Friday', 'Monday or Friday'],
    ['2 o’clock', '2 o’clock'],
    ...[
      '第二个',
      '第2个',
      '选2',
      'option b',
      '第二個',
      '選2',
      '我选第二个',
      '第二个吧',
      '2号',
      '选项二',
      '选B',
      '最后一个',
      '后者',
    ].map(asFriday),
    ...[
      'The second one.',
      'the 2nd',
      'second',
      'number two',
      '#2',
      'I choose 2',
      "I'd like the second one, please",
    ].map(asFriday),
    ...['the last one', 'Option B', '(2)', '2 please', '2!'].map(asFriday),
    ...['2?', 'Friday?', '第二个？', '-2', '2.5', '22', '2 or 1', 'no, 2', 'ok 2', 'the third', 'both', '二', 'b'].map(
      asSaid,
    ),
    ...['the second one, and make it blue', '第二个，改成蓝色'].map(asSaid),
  ])('%s means %s', (answer, meant) => {
    expect(chosenOption(['Monday', 'Friday'], answer)).toBe(meant);
  });

  it("means an option's own text before its number", () => {
    expect(chosenOption(['3', '2', '1'], '1')).toBe('1');
  });

  it('names the letter that the options give themselves', () => {
    const options = ['B) Friday', 'A) Monday'];
    expect(['a', 'A.', 'option a'].map((answer) => chosenOption(options, answer))).toEqual(Array(3).fill('A) Monday'));
  });

  it('says no place where an option has the same word', () => {
    expect(chosenOption(['Second class', 'First class'], 'the second')).toBe('the second');
  });

  it('that says yes or no means the option that does, where there is one of each', () => {
    expect(chosenOption(['Yes', 'No', 'Later'], 'yes please')).toBe('Yes');
    expect(chosenOption(['是', '否'], '不用了，谢谢')).toBe('否');
    for (const [options, answer] of [
      [['good', 'bad'], 'fine'],
      [['yes', 'no'], 'yes?'],
      [['Yes, all', 'No'], 'yes'],
    ] as const)
      expect(chosenOption([...options], answer)).toBe(answer);
  });
});
