import { describe, expect, test } from 'vitest';
import { PlanAnswer, ReplanAnswer, ThoughtAnswer } from '../../contracts/answer.ts';
import { TaskEvent } from '../../contracts/event.ts';
import {
  PLAN_ITEMS_KEPT_MAX,
  PLAN_ITEMS_READ_MAX,
  QUESTION_CHARS_MAX,
  RESPONSE_CHARS_MAX,
  STEP_CHARS_MAX,
  TOOL_INPUT_CHARS_MAX,
} from '../../contracts/limits.ts';
import { StoredTaskLimits, TaskLimits } from '../../contracts/task.ts';

const full = {
  current_step: 'look it up',
  next_action: { tool: 'internet_search', input: 'weather' },
  question: 'Which city?',
  response: 'It rains.',
};
type Field = keyof typeof full;
const fields = Object.keys(full) as Field[];

/** SPEC 5's matrix: what each status must have, may have and must not have. */
const matrix: Record<ThoughtAnswer['status'], Record<Field, 'required' | 'optional' | 'refused'>> = {
  continue: { current_step: 'required', next_action: 'required', question: 'refused', response: 'refused' },
  ask_user: { current_step: 'required', next_action: 'refused', question: 'required', response: 'refused' },
  done: { current_step: 'optional', next_action: 'refused', question: 'refused', response: 'optional' },
};
const statuses = Object.keys(matrix) as ThoughtAnswer['status'][];

const keeps = (status: ThoughtAnswer['status']) =>
  Object.fromEntries(fields.filter((field) => matrix[status][field] === 'required').map((name) => [name, full[name]]));

const blanks: [string, unknown][] = [
  ['absent', undefined],
  ['null', null],
  ['empty', ''],
  ['blanks alone', ' \n'],
];

const rows = statuses.flatMap((status) => fields.map((field) => ({ status, field, rule: matrix[status][field] })));

describe.each(rows)('a thought with status $status, whose $field is $rule', ({ status, field, rule }) => {
  const rest: Record<string, unknown> = { status, ...keeps(status) };

  test(`is ${rule === 'refused' ? 'refused' : 'accepted'} with it`, () => {
    const parsed = ThoughtAnswer.safeParse({ ...rest, [field]: full[field] });
    expect(parsed.success).toBe(rule !== 'refused');
    if (parsed.success) expect(parsed.data[field]).toEqual(full[field]);
    else expect(parsed.error.issues).toMatchObject([{ path: [field] }]);
  });

  test.each(blanks)(`is ${rule === 'required' ? 'refused' : 'accepted'} when it is %s`, (_how, blank) => {
    const given = { ...rest, [field]: blank };
    if (blank === undefined) delete given[field];
    const parsed = ThoughtAnswer.safeParse(given);
    expect(parsed.success).toBe(rule !== 'required');
    if (parsed.success) expect(parsed.data[field]).toBeNull();
    else expect(parsed.error.issues).toMatchObject([{ path: [field] }]);
  });
});

describe('a thought', () => {
  const step = { status: 'continue', current_step: 'a', next_action: { tool: 'todo', input: 'list' } };

  test.each([
    ['a tool', { input: 'x' }],
    ['an input', { tool: 'todo' }],
    ['an input that is text, an object or a list', { tool: 'todo', input: 7 }],
    ['an input within its limit', { tool: 'todo', input: 'x'.repeat(TOOL_INPUT_CHARS_MAX + 1) }],
  ])('whose action lacks %s is refused', (_what, next_action) => {
    expect(ThoughtAnswer.safeParse({ ...step, next_action }).success).toBe(false);
  });

  test('keeps a tool input verbatim, spaces included', () => {
    const input = '  add "buy milk"\n --tag 家 ';
    expect(ThoughtAnswer.parse({ ...step, next_action: { tool: ' todo ', input } }).next_action).toEqual({
      tool: 'todo',
      input,
    });
  });

  test.each([[{ tool: '', input: '' }], [{ tool: null }], [{}]])('takes %j for no action', (next_action) => {
    expect(ThoughtAnswer.parse({ status: 'done', next_action }).next_action).toBeNull();
  });

  test('loses keys outside the contract', () => {
    const next_action = { ...step.next_action, reason: 'x' };
    expect(ThoughtAnswer.parse({ ...step, next_action, plan: ['b'], signal: 'replan' })).toEqual({
      ...step,
      question: null,
      response: null,
    });
  });

  test.each(['Done', ' done ', 'finished', 'now', 'next', '', null, undefined, 1, ['done']])(
    'is refused with the status %j',
    (status) => {
      expect(ThoughtAnswer.safeParse({ status }).success).toBe(false);
    },
  );

  test('is refused above the limit of a text', () => {
    expect(ThoughtAnswer.safeParse({ status: 'done', response: 'x'.repeat(RESPONSE_CHARS_MAX) }).success).toBe(true);
    expect(ThoughtAnswer.safeParse({ status: 'done', response: 'x'.repeat(RESPONSE_CHARS_MAX + 1) }).success).toBe(
      false,
    );
    expect(ThoughtAnswer.safeParse({ ...step, current_step: 'x'.repeat(QUESTION_CHARS_MAX + 1) }).success).toBe(false);
  });
});

const contracts = [
  ['plan', (plan: unknown) => PlanAnswer.safeParse({ status: 'planned', plan })],
  ['replan', (plan: unknown) => ReplanAnswer.safeParse({ status: 'replanned', plan })],
] as const;

describe.each(contracts)('the items of a %s', (_contract, parse) => {
  test('are texts or objects, side by side', () => {
    const whole = { id: 'b', step: 'b', depends_on: ['a'], executor: 'coding_agent', tools: ['todo'], expected: 'c' };
    expect(parse([' a ', whole]).data?.plan).toEqual(['a', whole]);
  });

  test('may have numbers for ids, which become texts', () => {
    expect(parse([{ id: 2, step: 'b', depends_on: [1, 'a'] }]).data?.plan).toEqual([
      { id: '2', step: 'b', depends_on: ['1', 'a'] },
    ]);
  });

  test.each([null, '', ' '])('may have %j for any optional field', (blank) => {
    const item = { id: 'a', step: 'a', depends_on: blank, executor: blank, tools: blank, expected: blank };
    const plan = parse([item]).data?.plan;
    expect(JSON.parse(JSON.stringify(plan))).toEqual([{ id: 'a', step: 'a', depends_on: null, tools: null }]);
  });

  test('lose keys outside the contract', () => {
    expect(parse([{ id: 'a', step: 'a', status: 'completed', result: 'x' }]).data?.plan).toEqual([
      { id: 'a', step: 'a' },
    ]);
  });

  test.each([
    '',
    ' ',
    5,
    null,
    [],
    {},
    { id: 1.5, step: 'a' },
    { id: 'a', step: 'a', depends_on: 'b' },
    { id: 'a', step: 'a', tools: [''] },
    { id: 'x'.repeat(65), step: 'a' },
    'x'.repeat(STEP_CHARS_MAX + 1),
    { id: 'a', step: 'a', expected: 'x'.repeat(STEP_CHARS_MAX + 1) },
  ])('may not be %j', (item) => {
    expect(parse(['a', item]).success).toBe(false);
  });

  test('are at most as many as the limit', () => {
    expect(parse(Array(PLAN_ITEMS_READ_MAX).fill('a')).success).toBe(true);
    expect(parse(Array(PLAN_ITEMS_READ_MAX + 1).fill('a')).success).toBe(false);
  });
});

describe('a plan', () => {
  test('may be empty, and may have a goal', () => {
    expect(PlanAnswer.parse({ status: 'planned', goal: ' fly ', plan: [], response: 'x' })).toEqual({
      status: 'planned',
      goal: 'fly',
      plan: [],
    });
  });

  test.each([
    { plan: ['a'] },
    { status: 'done', plan: ['a'] },
    { status: 'planned' },
    { status: 'planned', plan: null },
  ])('is no plan as %j', (plan) => {
    expect(PlanAnswer.safeParse(plan).success).toBe(false);
  });
});

describe('a replan', () => {
  test.each([undefined, null, '', []])('needs work still to do when it is replanned, not %j', (plan) => {
    expect(ReplanAnswer.safeParse({ status: 'replanned', plan }).error?.issues).toMatchObject([{ path: ['plan'] }]);
    expect(ReplanAnswer.parse({ status: 'done', plan, response: 'ok' }).plan).toEqual([]);
  });

  test.each([undefined, null, '', ' '])('needs a response when it is done, not %j', (response) => {
    expect(ReplanAnswer.safeParse({ status: 'done', response }).error?.issues).toMatchObject([{ path: ['response'] }]);
    expect(ReplanAnswer.parse({ status: 'replanned', plan: ['a'], response }).response).toBeNull();
  });
});

test('a stored plan that is longer than a model may give today is still read', () => {
  const plan = Array(2 * PLAN_ITEMS_READ_MAX).fill('x'.repeat(4 * STEP_CHARS_MAX));
  expect(TaskEvent.parse({ type: 'plan.made', status: 'planned', plan, effect: 1, reader: 'strict' })).toMatchObject({
    plan,
  });
  expect(StoredTaskLimits.parse({ max_plan_items: plan.length }).max_plan_items).toBe(plan.length);
  expect(TaskLimits.safeParse({ max_plan_items: PLAN_ITEMS_KEPT_MAX + 1 }).success).toBe(false);
});

test('the output of a contract reads the same again, so a stored event keeps its meaning', () => {
  const answers = [
    [ThoughtAnswer, { status: 'done', response: 'ok', next_action: '' }],
    [PlanAnswer, { status: 'planned', goal: '', plan: ['a', { id: 1, step: 'b', executor: null, tools: '' }] }],
    [ReplanAnswer, { status: 'replanned', plan: [{ id: 1, step: 'b', depends_on: [2] }] }],
  ] as const;
  for (const [contract, given] of answers) {
    const once = JSON.parse(JSON.stringify(contract.parse(given)));
    expect(contract.parse(once)).toEqual(once);
  }
});
