import type { EventOf } from '../../contracts/event.ts';
import { CLARIFICATIONS_KEPT, OBSERVATION_CHARS_MAX, REPEATS_MAX } from '../../contracts/limits.ts';
import type { Observation } from '../../contracts/observation.ts';
import type { PlanItem, PlanItemStatus } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { currentItem, nextItemIndex } from '../current-item.ts';
import { cutText } from '../cut-text.ts';
import { withFailure, withoutFailures, withUsage } from './failures.ts';
import { observed } from './observed.ts';
import { withAbandoned, withCompleted } from './past-items.ts';

/** Characters of the last observation that stand for an item's result when the thought gave no conclusion. */
const RESULT_CHARS_MAX = 1_000;

const withStatus = (context: TaskContext, status: PlanItemStatus, result: string | null): PlanItem[] =>
  context.plan_items.map((item, i) => (i === context.current_plan_index ? { ...item, status, result } : item));

/** The next item is picked and in progress; a new item starts its rounds at zero. */
export const itemPicked = (context: TaskContext): Partial<TaskContext> => {
  const index = nextItemIndex(context);
  const item = context.plan_items[index]!;
  const isSame = context.rounds_item_id === item.id;
  return {
    current_plan_index: index,
    plan_items: context.plan_items.map((other, i) => (i === index ? { ...other, status: 'in_progress' } : other)),
    deadlocks_in_a_row: 0,
    ...(isSame ? {} : { rounds: 0, rounds_item_id: item.id, repeats: 0 }),
  };
};

/** A thought is accepted, whatever it said. */
export const thoughtTaken = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  step_count: context.step_count + 1,
  last_thought_snapshot: {
    status: event.status,
    current_step: event.current_step,
    next_action: event.next_action,
    question: event.question,
    response: event.response,
  },
});

/** A thought failed its contract or said what it may not. */
export const thoughtRefused = (context: TaskContext, event: EventOf<'thought.rejected'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  ...withFailure(context, event.reason),
  step_count: context.step_count + 1,
});

const endItem = (context: TaskContext, status: PlanItemStatus, result: string | null): Partial<TaskContext> => ({
  ...withoutFailures,
  needs_replan: true,
  rounds: 0,
  rounds_item_id: null,
  repeats: 0,
  ...(currentItem(context) === null
    ? {}
    : {
        plan_items: withStatus(context, status, result),
        current_plan_index: status === 'completed' ? context.current_plan_index + 1 : context.current_plan_index,
      }),
});

/** The current item is completed with the thought's conclusion, else with what was last observed. */
export const itemCompleted = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => {
  const item = currentItem(context);
  const last = context.observations.findLast((observation) => observation.item_id === (item?.id ?? null));
  const result = event.response ?? (last === undefined ? null : cutText(last.result, RESULT_CHARS_MAX));
  const completed: PlanItem[] = item === null ? [] : [{ ...item, status: 'completed', result }];
  const ended = endItem(context, 'completed', result);
  return {
    ...ended,
    ...withCompleted(ended.plan_items ?? context.plan_items, [...context.completed_items, ...completed]),
  };
};

/** The current item is given up by the model's mark: blocked, and a replan is asked for (SPEC 5, signal). */
export const itemBlocked = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => {
  const item = currentItem(context);
  return {
    ...endItem(context, 'blocked', event.response),
    abandoned_items: withAbandoned(context, context.plan_items, item === null ? [] : [item.id]),
  };
};

/** One tool action came back (SPEC 6): counted, kept, and a failure if it failed or went round in a circle. */
export const actionObserved = (context: TaskContext, event: EventOf<'observation.recorded'>): Partial<TaskContext> => {
  const observation: Observation = {
    item_id: currentItem(context)?.id ?? null,
    source: 'tool',
    tool: event.tool,
    input: event.input,
    ok: event.ok,
    result: cutText(event.result, OBSERVATION_CHARS_MAX),
  };
  const previous = context.observations.at(-1);
  const isRepeat =
    previous !== undefined &&
    previous.item_id === observation.item_id &&
    previous.tool === observation.tool &&
    previous.input === observation.input &&
    previous.result === observation.result;
  const repeats = isRepeat ? context.repeats + 1 : 1;
  const isCircle = event.ok && repeats >= REPEATS_MAX;
  const failure = isCircle
    ? `${event.tool}: the same action gave the same result ${repeats} times`
    : `${event.tool}: ${event.result}`;
  const writes = context.catalogue.tools.some((tool) => tool.name === event.tool && tool.writes);
  return {
    step_count: context.step_count + 1,
    observations: observed(context, observation),
    repeats,
    successful_steps: context.successful_steps + (event.ok ? 1 : 0),
    failed_steps: context.failed_steps + (event.ok ? 0 : 1),
    wrote: context.wrote || writes,
    ...(event.ok && !isCircle ? withoutFailures : withFailure(context, failure)),
  };
};

/** The verifiers refused what was written: replan sees their output (SPEC 3). */
export const verificationFailed = (
  context: TaskContext,
  event: EventOf<'verification.finished'>,
): Partial<TaskContext> => ({
  needs_replan: true,
  steered: false,
  pending_final_response: null,
  verify_failures: context.verify_failures + 1,
  observations: observed(context, {
    item_id: null,
    source: 'verification',
    tool: 'verify',
    input: '',
    ok: false,
    result: event.output,
  }),
});

/** What the user said joins the clarifications and asks for a replan (SPEC 6). */
export const clarified = (context: TaskContext, text: string, question: string | null): Partial<TaskContext> => ({
  needs_replan: true,
  clarification_history: [...context.clarification_history, { question, text }].slice(-CLARIFICATIONS_KEPT),
});
