import { PlanAnswer, ReplanAnswer, ThoughtAnswer } from '../../../contracts/answer.ts';
import { readPlan, readReplan, readThought } from '../../../src/models/reply/parse-model-reply.ts';

export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
export type Answer = { [key: string]: Value };

/** An answer as a model means it, how it is read, and what its contract makes of it. */
export interface BaseAnswer {
  name: string;
  value: Answer;
  read: (text: string) => { ok: true; answer: unknown } | { ok: false; reason: unknown };
  expected: unknown;
}

const nothing = { next_action: null, question: null, response: null };

/** Texts that readers stumble over, in both languages. */
const TEXTS = [
  'ls -la',
  'rm -rf "/tmp/a b" // not "/"',
  'add buy milk --due "tomorrow 3pm"',
  'add 买牛奶 --due 明天下午三点',
  '{"status":"done","response":"quoted"}',
  'say "hi", then "bye"',
  "it's Anna's, isn't it?",
  '他说“好”，然后问：“几点？”',
  'https://example.com/a?b=c&d=%20#e',
  'C:\\Users\\anna\\new folder',
  'first line\nsecond line\n\tthird',
  'grep -E "\\d+[.]{3}" log.txt # count',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the answer holds a template of JavaScript.
  'for (const a of [1, 2]) { console.log(`${a}`); }',
  '<b>bold</b> & <think>no</think>',
  'a, b: c; {d} [e] (f)',
  "SELECT * FROM t WHERE a = 'x' /* all */",
  'Done. [Done] is no mark here',
  '好的，已经完成【完成】了吗？',
  'emoji ✅ 🎉 and é, ß, ñ',
  '```js\nlet a = {};\n```',
  'True, None, null, ...',
  'x += "a" + "b"',
];

const thought = (name: string, value: Answer): BaseAnswer => ({
  name: `thought: ${name}`,
  value,
  read: readThought,
  expected: ThoughtAnswer.parse(value),
});
const plan = (name: string, ...items: Value[]): BaseAnswer => {
  const value = { status: 'planned', plan: items };
  return { name: `plan: ${name}`, value, read: readPlan, expected: PlanAnswer.parse(value) };
};
const replan = (name: string, value: Answer): BaseAnswer => ({
  name: `replan: ${name}`,
  value,
  read: readReplan,
  expected: ReplanAnswer.parse(value),
});

/** About sixty answers: every text as a tool's input, the others with some of them. */
export const baseAnswers: BaseAnswer[] = [
  ...TEXTS.map((input) =>
    thought(`an action with ${input}`, {
      ...nothing,
      status: 'continue',
      current_step: 'the step 步骤',
      next_action: { tool: 'todo', input },
    }),
  ),
  ...TEXTS.filter((_, i) => i % 2 === 0).map((response) =>
    thought(`done with ${response}`, { ...nothing, status: 'done', response }),
  ),
  ...TEXTS.filter((_, i) => i % 3 === 0).map((question) =>
    thought(`a question, ${question}`, { ...nothing, status: 'ask_user', current_step: 'ask', question }),
  ),
  ...TEXTS.filter((_, i) => i % 4 === 1).map((response) =>
    replan(`the answer ${response}`, { status: 'done', plan: [], response }),
  ),
  thought('done alone', { status: 'done' }),
  plan('none'),
  plan('steps', 'find flights', 'book "one"', '付款，写入日程'),
  plan(
    'items',
    { id: 'a', step: '[SEARCH] find', tools: ['internet_search', 'todo'], expected: 'a list' },
    { id: 2, step: 'book, "window" seat', depends_on: ['a'] },
    'pay',
  ),
  plan('Chinese items', { id: '1', step: '查询“最早”的航班' }, { id: '2', step: '预订：两张', depends_on: ['1'] }),
  replan('work left', { status: 'replanned', plan: ['pay', { id: 9, step: 'tell Anna' }], response: null }),
  replan('Chinese work left', { status: 'replanned', plan: ['付款', '通知“安娜”'], response: null }),
];
