import type { PlanAnswer, ReplanAnswer } from '../../contracts/answer.ts';
import { lines, type ReadCase } from './read-answer-case.ts';

const planned = (...plan: PlanAnswer['plan']): PlanAnswer => ({ status: 'planned', plan });
const find = { id: 'find', step: '[SEARCH] find flights', tools: ['internet_search'] };

export const plans: ReadCase<PlanAnswer>[] = [
  {
    name: 'a goal and items with dependencies',
    text: JSON.stringify({
      status: 'planned',
      goal: '订机票',
      plan: [find, { id: 2, step: 'book', depends_on: ['find', 1], executor: '', expected: null }],
    }),
    reader: 'strict',
    answer: {
      status: 'planned',
      goal: '订机票',
      plan: [find, { id: '2', step: 'book', depends_on: ['find', '1'] }],
    },
  },
  {
    name: 'dependencies by their other names',
    text: '{"status":"planned","plan":["a",{"id":2,"step":"b","dependencies":[1]},{"id":3,"step":"c","deps":[1,2]}]}',
    reader: 'strict',
    answer: planned('a', { id: '2', step: 'b', depends_on: ['1'] }, { id: '3', step: 'c', depends_on: ['1', '2'] }),
  },
  {
    name: 'YAML',
    text: 'status: planned\nplan:\n- a\n- id: 2\n  step: "[SEARCH] b"\n  depends_on: [1]\n',
    reader: 'yaml',
    answer: planned('a', { id: '2', step: '[SEARCH] b', depends_on: ['1'] }),
  },
  {
    name: 'an embedded plan whose prose lists other steps',
    text: lines('I considered:', '1. walking', '2. flying', '{"status":"planned","plan":["fly"]}'),
    reader: 'embedded',
    answer: planned('fly'),
  },
  {
    name: '[Step] lines in prose',
    text: lines('Here is my plan:', '[Step] Find flights', '- a detail', '[Step] Book one', 'Good luck!'),
    reader: 'signal',
    answer: planned('Find flights', 'Book one'),
  },
  {
    name: 'a numbered list with its details',
    text: lines('The plan:', '', '1. Find flights', '   - cheap ones', '   1. today', '2. Book one'),
    reader: 'signal',
    answer: planned('Find flights', 'Book one'),
  },
  {
    name: 'a list about an error',
    text: 'To fix the login error:\n- Read the log.\n- Check in (with a test)',
    reader: 'signal',
    answer: planned('Read the log.', 'Check in (with a test)'),
  },
  {
    name: 'prose behind it',
    text: '{"status":"planned","plan":["a"]}\nHope it helps!',
    reader: 'embedded',
    answer: planned('a'),
  },
  { name: 'Chinese step marks', text: '【步骤1】查询【步骤2】预订', reader: 'signal', answer: planned('查询', '预订') },
];

const replanned = (...plan: ReplanAnswer['plan']): ReplanAnswer => ({ status: 'replanned', plan, response: null });
const answered = (response: string): ReplanAnswer => ({ status: 'done', plan: [], response });

export const replans: ReadCase<ReplanAnswer>[] = [
  {
    name: 'work still to do',
    text: '{"status":"replanned","plan":["book",{"id":3,"step":"pay","depends_on":""}],"response":null}',
    reader: 'strict',
    answer: replanned('book', { id: '3', step: 'pay', depends_on: null }),
  },
  { name: '[Step] marks', text: '[Step] book\n[Step] pay', reader: 'signal', answer: replanned('book', 'pay') },
  {
    name: 'a done mark below a list',
    text: 'I booked:\n1. a flight\n2. a hotel\n[Done]',
    reader: 'signal',
    answer: answered('I booked:\n1. a flight\n2. a hotel'),
  },
  { name: 'a done mark', text: 'Booked for Friday.\n[Done]', reader: 'signal', answer: answered('Booked for Friday.') },
  { name: 'STEP_DONE before the answer', text: 'STEP_DONE: Booked.', reader: 'signal', answer: answered('Booked.') },
  {
    name: 'a failed mark',
    text: 'No site lists the train.\n[Failed]',
    reader: 'signal',
    answer: { ...answered('No site lists the train.'), outcome: 'failed' },
  },
];
