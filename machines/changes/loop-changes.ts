import type { PlanItem } from '../../contracts/answer.ts';
import type { EventOf } from '../../contracts/event.ts';
import { CLARIFICATIONS_KEPT, OBSERVATION_CHARS_MAX, REPEATS_MAX } from '../../contracts/limits.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { Observation, TaskContext } from '../../contracts/task.ts';
import { cutText } from '../../contracts/text.ts';
import { currentItem, hasOpenItems, isReplanSpareable, nextItemIndex } from '../plan-items.ts';
import { observed, withAbandoned, withFailure, withoutFailures, withPast, withUsage } from './tallies.ts';

/** Characters of the last observation that stand for an item's result when the thought gave no conclusion. */
const RESULT_CHARS_MAX = 1_000;

/** The next item is picked and in progress; a new item starts its rounds at zero. */
export const itemPicked = (context: TaskContext): Partial<TaskContext> => {
  const index = nextItemIndex(context);
  const item = context.plan_items[index]!;
  const isSame = context.rounds_item_id === item.id;
  return {
    current_plan_index: index,
    plan_items: context.plan_items.map((other, i) => (i === index ? { ...other, status: 'in_progress' } : other)),
    deadlocks_in_a_row: 0,
    ...(isSame ? {} : { rounds: 0, rounds_item_id: item.id, item_rounds: 0, repeats: 0 }),
  };
};

/** One more round begins. */
export const roundBegun = ({ rounds, item_rounds, iteration_count }: TaskContext): Partial<TaskContext> => ({
  rounds: rounds + 1,
  item_rounds: item_rounds + 1,
  iteration_count: iteration_count + 1,
});

/** A thought is accepted, whatever it said. */
export const thoughtTaken = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  step_count: context.step_count + 1,
  replaced_input: null,
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

/** The result of an item at its end: the thought's conclusion, else the last observation. */
const conclusionOf = (context: TaskContext, event: EventOf<'thought.made'>): string | null => {
  const item_id = currentItem(context)?.id ?? null;
  const last = context.observations.findLast((observation) => observation.item_id === item_id);
  return event.response ?? (last === undefined ? null : cutText(last.result, RESULT_CHARS_MAX));
};

/** The current item has ended, and replan comes next (SPEC 3); its rounds and failures are over. */
const itemEnded = (
  context: TaskContext,
  status: 'completed' | 'blocked',
  event: EventOf<'thought.made'>,
): Partial<TaskContext> => {
  const over = { ...withoutFailures, needs_replan: true, rounds: 0, rounds_item_id: null, item_rounds: 0, repeats: 0 };
  const item = currentItem(context);
  if (item === null) return over;
  const ended: PlanItem = { ...item, status, result: conclusionOf(context, event), rounds: context.item_rounds };
  const plan_items = context.plan_items.with(context.current_plan_index, ended);
  return { ...over, ...withPast(plan_items, context.past_items, [ended]) };
};

/** The current item is completed. A replan follows, but for one that the task has no need of (SPEC 3, `when_needed`). */
export const itemCompleted = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => {
  const completed: Partial<TaskContext> = {
    ...itemEnded(context, 'completed', event),
    current_plan_index: context.current_plan_index + (currentItem(context) === null ? 0 : 1),
    is_recovering: false,
  };
  const isReplanSpared = isReplanSpareable(context) && hasOpenItems({ ...context, ...completed });
  return isReplanSpared ? { ...completed, needs_replan: false } : completed;
};

/** The conclusion of an empty plan's thought is the answer (SPEC 3, `when_needed`). */
export const concluded = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => ({
  ...itemCompleted(context, event),
  pending_final_response: event.response,
  outcome: 'completed',
});

/** The current item could not be done: it is blocked, and what depends on it can never run (SPEC 3, 5). */
export const itemBlocked = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => {
  const item = currentItem(context);
  return {
    ...itemEnded(context, 'blocked', event),
    abandoned_items: withAbandoned(context, context.plan_items, item === null ? [] : [item.id]),
    is_recovering: true,
  };
};

/** One tool action came back (SPEC 6): counted, kept, and a failure if it failed or went round in a circle. */
export const actionObserved = (context: TaskContext, event: EventOf<'observation.recorded'>): Partial<TaskContext> => {
  const observation: Observation = {
    item_id: currentItem(context)?.id ?? null,
    source: 'tool',
    tool: event.tool,
    input: event.input,
    ...(context.replaced_input !== null && { instead_of: context.replaced_input }),
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
  const texts = messages(context.language).taskNotes;
  const failure = texts.failedAction(event.tool, isCircle ? texts.sameResult(repeats) : event.result);
  const writes = context.catalogue.tools.some((tool) => tool.name === event.tool && tool.writes);
  return {
    step_count: context.step_count + 1,
    replaced_input: null,
    observations: observed(context, observation),
    repeats,
    successful_steps: context.successful_steps + (event.ok ? 1 : 0),
    failed_steps: context.failed_steps + (event.ok ? 0 : 1),
    wrote: context.wrote || writes,
    ...(event.ok && !isCircle ? { ...withoutFailures, is_recovering: false } : withFailure(context, failure)),
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
  outcome: null,
  is_recovering: true,
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

/** The user's words join the clarifications and ask for a replan (SPEC 6). */
export const clarified = (context: TaskContext, text: string, question: string | null): Partial<TaskContext> => ({
  needs_replan: true,
  clarification_history: [...context.clarification_history, { question, text }].slice(-CLARIFICATIONS_KEPT),
});

/** One more effect is asked for, by its number in the task. */
export const effectOpened = (context: TaskContext): Partial<TaskContext> => ({
  effects_requested: context.effects_requested + 1,
  open_effect: context.effects_requested + 1,
});
