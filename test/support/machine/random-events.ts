import fc from 'fast-check';
import type { NextAction } from '../../../contracts/answer.ts';
import type { ApprovalDecision, PlanEdit, TaskEvent } from '../../../contracts/event.ts';
import type { Catalogue, TaskContext, TaskSnapshot } from '../../../contracts/task.ts';
import { actionsOf } from '../../../machines/side-by-side.ts';
import { catalogue, guardedCatalogue, opened, policedCatalogue, type WrittenItem, written } from './task-driver.ts';

/** Few words, so that random plans, questions and answers often coincide. */
const steps = fc.constantFrom('Buy milk', 'Call Ann', '[CODE] Fix it', '[NOBODY] Wait', 'Write it up');
const ids = fc.constantFrom('1', '2', '3', '4', 'a', 'b', 'c');
const texts = fc.constantFrom('yes', 'no', 'always', '1', 'Which day?', 'which day', 'Monday', '继续');

const item = fc.oneof(
  steps,
  fc.record({
    id: ids,
    step: steps,
    depends_on: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.uniqueArray(ids, { maxLength: 2 })),
    tools: fc.constantFrom(null, ['search'], ['todo', 'search'], ['nothing']),
  }),
);

const edit: fc.Arbitrary<PlanEdit> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), step: steps, index: fc.nat(6) }),
  fc.record({ kind: fc.constant('drop' as const), index: fc.nat(4) }),
  fc.record({ kind: fc.constant('move' as const), from: fc.nat(4), to: fc.nat(4) }),
  fc.record({
    kind: fc.constant('mark' as const),
    index: fc.nat(4),
    status: fc.constantFrom('not_started', 'in_progress', 'completed', 'blocked', 'dropped'),
  }),
);

/** A possible next event. The task's state decides what it becomes. */
export const move = fc.record({
  /** 0 to 99: most are the outcome that the task waits for, the others come in between. */
  chance: fc.nat(99),
  item_count: fc.nat(5),
  plan: fc.array(item, { minLength: 5, maxLength: 5 }),
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
  text: texts,
  tool: fc.constantFrom('search', 'search', 'todo', 'todo', 'code', 'nothing'),
  /** Tools that are called beside it. */
  more: fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    fc.array(fc.constantFrom<string[]>('search', 'search', 'search', 'search', 'search', 'todo'), { maxLength: 8 }),
  ),
  /** The verdict of a policy, where the tool has one; null: it was not asked. */
  verdict: fc.constantFrom('run', 'run', 'ask', 'deny', null),
  ok: fc.boolean(),
  /** 0 to 9: which of the possible outcomes. */
  outcome: fc.nat(9),
});
export type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

/** Every tool needs approval. */
const allGuarded: Catalogue = {
  ...catalogue,
  tools: catalogue.tools.map((tool) => ({ ...tool, approval: true })),
};

const leftSteps = fc.array(
  fc.record({
    step: fc.constantFrom('A', 'B', '[CODE] C'),
    is_completed: fc.boolean(),
    result: fc.constantFrom(null, 'went well'),
  }),
  { minLength: 1, maxLength: 8 },
);

/** How a random task opens: with limits from the tightest to some that no history of a test reaches. */
export const taskOpened = fc
  .record({
    limits: fc.record({
      max_steps: fc.integer({ min: 1, max: 40 }),
      max_total_steps: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(200)),
      failure_limit: fc.integer({ min: 1, max: 3 }),
      plan_retries: fc.nat(2),
      max_questions: fc.nat(3),
      max_plan_items: fc.integer({ min: 1, max: 6 }),
      max_rounds_per_item: fc.integer({ min: 1, max: 6 }),
      max_replans: fc.integer({ min: 1, max: 20 }),
      verify_limit: fc.integer({ min: 1, max: 2 }),
      max_task_tokens: fc.option(fc.integer({ min: 1, max: 60 })),
      max_task_cost: fc.option(fc.constantFrom('0.5', '3'), { freq: 1, nil: undefined }),
    }),
    confirm_plan: fc.constantFrom(false, true, 'after_looking' as const),
    planning: fc.boolean(),
    verifies: fc.boolean(),
    catalogue: fc.constantFrom(catalogue, guardedCatalogue, allGuarded, policedCatalogue, policedCatalogue),
    left_steps: fc.option(leftSteps, { nil: undefined, freq: 10 }),
    plan: fc.option(fc.array(steps, { minLength: 1, maxLength: 6 }), { nil: undefined, freq: 10 }),
  })
  .map(opened);

/** The steps of the move's plan; sometimes only one that waits for a dropped item, which is a deadlock. */
const planOf = ({ abandoned_items }: TaskContext, { outcome, plan, item_count }: Move): WrittenItem[] => {
  const [lost] = abandoned_items;
  if (outcome === 9 && lost !== undefined) return [{ id: 'late', step: 'Wait for it', depends_on: [lost] }];
  return plan.slice(0, item_count) as WrittenItem[];
};

const decisions = (text: string): ApprovalDecision[] => [
  { type: 'approve' },
  { type: 'approve_always' },
  { type: 'edit', input: text },
  { type: 'reject', reason: text },
];

/** Most calls have a price. */
const priceOf = ({ item_count, outcome }: Move) =>
  item_count === 1 && outcome > 6 ? {} : { cost: { amount: '0.25', currency: 'USD' } };

/** The verdict of the policy of a move's tool. */
const verdictOf = ({ catalogue }: TaskContext, { tool, verdict, text }: Move) => {
  const hasPolicy = catalogue.tools.some(({ name, approval }) => name === tool && approval === 'policy');
  return hasPolicy && verdict !== null ? { approval: { verdict, reason: text } } : {};
};

/** A server asks for a field that takes one of two values, and then for a visit to a page. */
export const toolAsked = (effect: number, action: NextAction, message: string): TaskEvent => ({
  type: 'tool.asked',
  effect,
  ...action,
  server: 'desk',
  requests: [
    {
      kind: 'form',
      key: 'day',
      message,
      schema: {
        type: 'object',
        properties: { day: { type: 'string', oneOf: [{ const: 'Monday' }, { const: 'Friday' }] } },
        required: ['day'],
      },
    },
    { kind: 'link', key: 'pay', message, url: 'https://pay.example/1', host: 'pay.example' },
  ],
  state: 'opaque',
});

const outcomeOf = ({ state, context }: TaskSnapshot, move: Move, effect: number): TaskEvent => {
  const plan = written(...planOf(context, move));
  const read = { effect, reader: 'strict' as const, usage: { input_tokens: 3, output_tokens: 2, ...priceOf(move) } };
  const thought = { type: 'thought.made' as const, current_step: 'now', next_action: null, question: null, ...read };
  const { outcome, text } = move;
  switch (state) {
    case 'planning':
      return outcome < 3
        ? { type: 'plan.rejected', effect, reason: text }
        : { type: 'plan.made', status: 'planned', goal: undefined, plan, ...read };
    case 'replanning':
      if (outcome < 2) return { type: 'replan.rejected', effect, reason: text };
      if (outcome === 2)
        return {
          type: 'replan.made',
          status: 'done',
          plan: [],
          response: text,
          ...(move.ok ? {} : { outcome: 'failed' }),
          ...read,
        };
      return { type: 'replan.made', status: 'replanned', plan, response: null, ...read };
    case 'thinking':
      if (outcome < 2) return { type: 'thought.rejected', effect, reason: text };
      if (outcome === 2)
        return {
          ...thought,
          status: 'ask_user',
          question: text,
          response: null,
          ...(move.ok ? { options: ['Monday', 'yes'] } : {}),
        };
      if (outcome === 3) return { ...thought, status: 'done', response: move.ok ? text : null };
      if (outcome === 4) return { ...thought, status: 'done', response: null, outcome: 'blocked' };
      return {
        ...thought,
        status: 'continue',
        next_action: { tool: move.tool, input: 'list' },
        response: null,
        ...verdictOf(context, move),
        ...(move.tool === 'search' &&
          move.more.length > 0 && { more_actions: move.more.map((tool, i) => ({ tool, input: `list ${i}` })) }),
      };
    case 'acting': {
      const [action = { tool: 'none', input: 'none' }, ...more] = actionsOf(context.last_thought_snapshot);
      if (more.length === 0 && outcome === 9) return toolAsked(effect, action, text);
      if (more.length === 0) return { type: 'observation.recorded', effect, ...action, ok: move.ok, result: text };
      const observations = [action, ...more].map((each, i) => ({ ...each, ok: move.ok || i > outcome, result: text }));
      return { type: 'observations.recorded', effect, observations };
    }
    case 'verifying':
      return { type: 'verification.finished', effect, ok: move.ok, output: text };
    case 'awaiting_user':
      if (context.awaiting === 'approval' && outcome < 4)
        return { type: 'decision.received', turn_id: 'turn_1', decision: decisions(text)[outcome]! };
      return { type: 'answer.received', turn_id: 'turn_1', text };
    case 'paused':
      return { type: 'task.resumed', turn_id: 'turn_1' };
    case 'done':
    case 'failed':
    case 'cancelled':
      return { type: 'result.superseded', effect, outcome: text };
    default:
      return state satisfies never;
  }
};

const ANY_STATE = ['planning', 'replanning', 'thinking', 'acting', 'verifying', 'awaiting_user', 'paused'] as const;

/**
 * The event that a move becomes: mostly one that fits the state, sometimes one in between, sometimes one that fits
 * nowhere.
 */
export const eventOf = (task: TaskSnapshot, move: Move): TaskEvent => {
  const effect = task.context.open_effect ?? 0;
  const { chance, text } = move;
  if (chance < 1) return { type: 'task.cancelled', turn_id: null };
  if (chance < 8) return { type: 'steer.received', turn_id: 'turn_1', text };
  if (chance < 14) return { type: 'plan.edited', turn_id: 'turn_1', edits: move.edits };
  if (chance < 16) return { type: 'model.unavailable', effect, reason: text };
  if (chance < 17) return { type: 'effect.abandoned', effect, begins: 3 };
  if (chance < 18) return { type: 'quota.exhausted', effect, reason: text };
  if (chance < 19) return { type: 'machine.changed', from: 'a@1', to: 'a@2', reason: text };
  if (chance < 20) return { type: 'decision.received', turn_id: 'turn_1', decision: { type: 'approve' } };
  if (chance < 22) return { type: 'result.superseded', effect: 1, outcome: text };
  if (chance < 25) return outcomeOf(task, move, 999);
  if (chance < 28) return outcomeOf({ ...task, state: ANY_STATE[move.outcome % ANY_STATE.length]! }, move, effect);
  return outcomeOf(task, move, effect);
};
