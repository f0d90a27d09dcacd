import { describe, expect, test } from 'vitest';
import { PlanAnswer, ThoughtAnswer } from '../../../contracts/answer.ts';
import { readPlan, readReplan, readThought } from '../read-answer-case.ts';
import { losslessDamages, proseBehind } from './lossless.ts';
import type { Answer } from './odd-print.ts';

/** Texts that readers stumble over, in both languages. */
const TEXTS = [
  'rm -rf "/tmp/a b" // not "/"',
  'add 买牛奶 --due 明天下午三点',
  '{"status":"done","response":"quoted"}',
  "it's Anna's, isn't it?",
  '他说“好”，然后问：“几点？”',
  'https://example.com/a?b=c&d=%20#e',
  'C:\\Users\\anna\\new folder',
  'first line\nsecond line\n\tthird',
  'grep -E "\\d+[.]{3}" log.txt # count',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the answer holds a template of JavaScript.
  'for (const a of [1, 2]) { console.log(`${a}`); }',
  '<b>bold</b> & <think>no</think>',
  "SELECT * FROM t WHERE a = 'x' /* all */",
  'Done. [Done] is no mark here',
  '好的，已经完成【完成】了吗？ ✅ é',
  '```js\nlet a = {};\n```',
  'True, None, null, ...',
  'x += "a" + "b"',
];

const thoughts = TEXTS.flatMap((text): Answer[] => [
  { status: 'continue', current_step: '步骤', next_action: { tool: 'todo', input: text }, question: null },
  { status: 'ask_user', current_step: 'ask', next_action: null, question: text, response: null },
]);
const plans = [
  [],
  ['find flights', 'book "one"', '付款，写入日程'],
  [
    { id: 'a', step: '[SEARCH] find', tools: ['internet_search', 'todo'], expected: 'a list' },
    { id: 2, step: '预订：“两张”', depends_on: ['a'] },
    'pay',
  ],
].map((plan) => ({ status: 'planned', plan })) as Answer[];

describe('an answer that is oddly spelled and lost nothing', () => {
  test.each(losslessDamages)('is read exactly %s', (_, damage) => {
    const answers = [
      ...thoughts.map((value) => ({ value, read: readThought, meant: ThoughtAnswer.parse(value) })),
      ...plans.map((value) => ({ value, read: readPlan, meant: PlanAnswer.parse(value) })),
    ];
    for (const { value, read, meant } of answers) {
      const text = damage(value);
      if (text !== null) expect(read(text), text).toMatchObject({ ok: true, answer: meant });
    }
  });
});

describe('prose behind an answer', () => {
  const action = { status: 'continue', current_step: '步骤', next_action: { tool: 'todo', input: 'list' } };
  const others: { value: Answer; read: (text: string) => unknown; meant: object }[] = [
    { value: { status: 'done', response: 'Sent.' }, read: readThought, meant: { response: 'Sent.' } },
    { value: { status: 'planned', plan: ['a'] }, read: readPlan, meant: { plan: ['a'] } },
    { value: { status: 'replanned', plan: ['a'] }, read: readReplan, meant: { plan: ['a'] } },
  ];

  test.each(proseBehind)('is let go, but behind an action: %s', (_, damage) => {
    const refused = { ok: false, reason: expect.stringMatching(/behind the action/) };
    expect(readThought(damage(action)!)).toEqual(refused);
    for (const { value, read, meant } of others)
      expect(read(damage(value)!)).toMatchObject({ ok: true, answer: meant });
  });
});
