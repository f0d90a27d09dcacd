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
  ...[
    ...['dependsOn', 'depends', 'requires', 'after', 'prerequisites', 'dependency', 'needs', 'DependsOn', 'depends-on'],
    ...['blocked_by', 'blockedBy'],
  ].map(
    (key): ReadCase<PlanAnswer> => ({
      name: `dependencies under "${key}"`,
      text: JSON.stringify({
        status: 'planned',
        plan: ['a', { id: 'c', step: 'c', [key]: ['b'] }, { id: 'b', step: 'b' }],
      }),
      reader: 'strict',
      answer: planned('a', { id: 'c', step: 'c', depends_on: ['b'] }, { id: 'b', step: 'b' }),
    }),
  ),
  ...(
    [
      ['b', ['b']],
      ['b, a', ['b', 'a']],
      ['b、a', ['b', 'a']],
      [1, ['1']],
      [{ id: 'b' }, ['b']],
      [
        [{ id: 'b', step: 'b' }, 1],
        ['b', '1'],
      ],
      ['none', []],
    ] as const
  ).map(
    ([given, depends_on]): ReadCase<PlanAnswer> => ({
      name: `a dependency as ${JSON.stringify(given)}`,
      text: JSON.stringify({ status: 'planned', plan: [{ id: 'c', step: 'c', depends_on: given }] }),
      reader: 'strict',
      answer: planned({ id: 'c', step: 'c', depends_on: [...depends_on] }),
    }),
  ),
  {
    name: 'a dependency whose id has a comma',
    text: '{"status":"planned","plan":[{"id":"a, b","step":"x"},{"id":"c","step":"y","depends_on":"a, b"}]}',
    reader: 'strict',
    answer: planned({ id: 'a, b', step: 'x' }, { id: 'c', step: 'y', depends_on: ['a, b'] }),
  },
  {
    name: 'two keys of dependencies',
    text: '{"status":"planned","plan":[{"id":"c","step":"y","depends_on":["a"],"after":"b"}]}',
    reader: 'strict',
    answer: planned({ id: 'c', step: 'y', depends_on: ['a', 'b'] }),
  },
  {
    name: 'items as id and description, a title, a task, and a number as the step',
    text: JSON.stringify({
      status: 'planned',
      plan: [
        { id: 'a', description: 'Find' },
        { id: 'b', title: 'Book', description: 'the cheapest' },
        { id: 'c', task: 'Pay' },
        { step: 7, description: 'Tell Anna', depends_on: [1] },
      ],
    }),
    reader: 'strict',
    answer: planned(
      { id: 'a', step: 'Find' },
      { id: 'b', step: 'Book: the cheapest' },
      { id: 'c', step: 'Pay' },
      { id: '7', step: 'Tell Anna', depends_on: ['1'] },
    ),
  },
  {
    name: 'items without ids, named by their places',
    text: '{"status":"planned","plan":[{"step":"a"},{"id":1,"step":"b"},{"step":"c","depends_on":[2,1]}]}',
    reader: 'strict',
    answer: planned(
      { id: 'item-1', step: 'a' },
      { id: '1', step: 'b' },
      { id: '3', step: 'c', depends_on: ['2', '1'] },
    ),
  },
  {
    name: 'a tool, an executor and a result under other keys',
    text: '{"status":"planned","plan":[{"id":"a","step":"x","tools":"todo, files","agent":"writer","expectedOutput":"a list"}]}',
    reader: 'strict',
    answer: planned({ id: 'a', step: 'x', tools: ['todo', 'files'], executor: 'writer', expected: 'a list' }),
  },
  ...['{"status":"planned","steps":["a","b"]}', '{"steps":["a","b"]}', '{"plan":["a","b"]}', '["a","b"]'].map(
    (text): ReadCase<PlanAnswer> => ({ name: text, text, reader: 'strict', answer: planned('a', 'b') }),
  ),
  ...['{"status":"planned","plan":{"steps":["a","b"]}}', '{"status":null,"plan":["a","b"]}', ' [ "a", "b" ] '].map(
    (text): ReadCase<PlanAnswer> => ({ name: text, text, reader: 'strict', answer: planned('a', 'b') }),
  ),
  {
    name: 'a bare list of items with a status each, in a fence behind reasoning',
    text: '<think>["x"]</think>\n```json\n[{"id":1,"step":"a","status":"pending"}]\n```',
    reader: 'fenced',
    answer: planned({ id: '1', step: 'a' }),
  },
  {
    name: 'a bare list in odd spelling',
    text: "['a', 'b',]",
    reader: 'repaired',
    answer: planned('a', 'b'),
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
    name: 'a list about an outage',
    text: 'Steps to fix the server error:\n- Read the log\n- Restart it',
    reader: 'signal',
    answer: planned('Read the log', 'Restart it'),
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
  ...['{"plan":["book","pay"]}', '{"steps":["book","pay"],"response":""}', '["book","pay"]'].map(
    (text): ReadCase<ReplanAnswer> => ({ name: text, text, reader: 'strict', answer: replanned('book', 'pay') }),
  ),
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
