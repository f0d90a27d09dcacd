import type { PlanItem, StoredThought } from '../contracts/answer.ts';
import type { EventOf } from '../contracts/event.ts';
import { CLARIFICATIONS_KEPT, OBSERVATION_CHARS_MAX, REPEATS_MAX } from '../contracts/limits.ts';
import { messages } from '../contracts/messages/messages.ts';
import type { Observation, TaskContext } from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { exposedAfter } from './approvals.ts';
import { assigned, onEvent } from './context.ts';
import { currentItem, hasOpenItems, isReplanSpareable, nextItemIndex } from './plan-items.ts';
import {
  withAbandoned,
  withFailure,
  withFinding,
  withObservation,
  withoutFailures,
  withPast,
  withUsage,
} from './tallies.ts';

/** Characters of the last observation that stand for an item's result when the thought gave no conclusion. */
const RESULT_CHARS_MAX = 1_000;

/** The part of a thought that its task keeps. */
const storedThought = (event: EventOf<'thought.made'>): StoredThought => {
  const { status, current_step, next_action, more_actions, question, response, refusal, approval } = event;
  return {
    status,
    current_step,
    next_action,
    ...(more_actions !== undefined && { more_actions }),
    question,
    response,
    ...(refusal !== undefined && { refusal }),
    ...(approval !== undefined && { approval }),
  };
};

const thoughtTaken = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => ({
  ...withUsage(context, event),
  step_count: context.step_count + 1,
  replaced_input: null,
  tool_question: null,
  last_thought_snapshot: storedThought(event),
});

/** An action of an accepted thought: it is taken, and the change sees the task after that. */
export const onThought = (change: (context: TaskContext, event: EventOf<'thought.made'>) => Partial<TaskContext>) =>
  onEvent('thought.made', (context, event) => {
    const taken = thoughtTaken(context, event);
    return { ...taken, ...change({ ...context, ...taken }, event) };
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

/** The current item is completed. A replan follows unless the task does not need one (SPEC 3, `when_needed`). */
const itemCompleted = (context: TaskContext, event: EventOf<'thought.made'>): Partial<TaskContext> => {
  const completed: Partial<TaskContext> = {
    ...itemEnded(context, 'completed', event),
    current_plan_index: context.current_plan_index + (currentItem(context) === null ? 0 : 1),
    is_recovering: false,
  };
  const asksForReplan = event.call?.replans === true;
  const isReplanSpared = !asksForReplan && isReplanSpareable(context) && hasOpenItems({ ...context, ...completed });
  return isReplanSpared ? { ...completed, needs_replan: false } : completed;
};

/** The user's words join the clarifications and ask for a replan (SPEC 6). */
export const clarified = (
  context: TaskContext,
  text: string,
  question: string | null,
  options: string[] = [],
): Partial<TaskContext> => {
  const clarification = { question, ...(options.length > 0 && { options }), text };
  return {
    needs_replan: true,
    clarification_history: [...context.clarification_history, clarification].slice(-CLARIFICATIONS_KEPT),
  };
};

type ResultsEvent = EventOf<'observation.recorded'> | EventOf<'observations.recorded'>;

/** The observations that an event brings, in the order of the thought's actions. */
const observationsOf = (context: TaskContext, event: ResultsEvent): Observation[] => {
  const { effect } = event;
  const observation = ({ tool, input, ok, result, left_out, files }: EventOf<'observation.recorded'>): Observation => ({
    item_id: currentItem(context)?.id ?? null,
    source: 'tool',
    tool,
    input,
    ...(context.replaced_input !== null && { instead_of: context.replaced_input }),
    ok,
    result: cutText(result, OBSERVATION_CHARS_MAX),
    ...(left_out !== undefined && { left_out }),
    ...(files !== undefined && { files }),
    effect,
  });
  if (event.type === 'observation.recorded') return [observation(event)];
  return event.observations.map((each, at) => ({
    ...observation({ ...each, type: 'observation.recorded', effect }),
    at,
  }));
};

/** The failures in a row after an action, or after several that were performed at once: those that fail together are one failure, and one that succeeds ends those before. */
const withOutcome = (context: TaskContext, made: Observation[], repeats: number): Partial<TaskContext> => {
  const texts = messages(context.language).taskNotes;
  const failed = made.filter(({ ok }) => !ok);
  if (failed.length === 0 && repeats >= REPEATS_MAX) {
    const names = [...new Set(made.map(({ tool }) => tool))].join(', ');
    return withFailure(context, texts.failedAction(names, texts.sameResult(repeats)));
  }
  const succeeded = failed.length < made.length ? { ...withoutFailures, is_recovering: false } : {};
  if (failed.length === 0) return succeeded;
  const reason = failed.map(({ tool, result }) => texts.failedAction(tool, result)).join('; ');
  return { ...succeeded, ...withFailure({ ...context, ...succeeded }, reason) };
};

/** Tool actions came back (SPEC 6): each is counted and kept, and they are a failure if one failed or all went round in a circle. */
const resultsTaken = (context: TaskContext, event: ResultsEvent): Partial<TaskContext> => {
  const made = observationsOf(context, event);
  const previous = context.observations.slice(-made.length);
  const isRepeat = made.every((observation, i) =>
    (['item_id', 'tool', 'input', 'result'] as const).every((field) => previous[i]?.[field] === observation[field]),
  );
  const repeats = isRepeat ? context.repeats + 1 : 1;
  const succeeded = made.filter(({ ok }) => ok).length;
  const writing = new Set(context.catalogue.tools.filter(({ writes }) => writes).map(({ name }) => name));
  return {
    step_count: context.step_count + made.length,
    replaced_input: null,
    tool_question: null,
    observations: made.reduce(
      (observations, each) => withObservation({ ...context, observations }, each),
      context.observations,
    ),
    repeats,
    successful_steps: context.successful_steps + succeeded,
    failed_steps: context.failed_steps + made.length - succeeded,
    exposed: exposedAfter(context, made),
    wrote: context.wrote || made.some(({ tool }) => writing.has(tool)),
    ...withOutcome(context, made, repeats),
  };
};

const effectOpened = (context: TaskContext): Partial<TaskContext> => ({
  effects_requested: context.effects_requested + 1,
  open_effect: context.effects_requested + 1,
});

export const loopActions = {
  openEffect: assigned(effectOpened),
  openUnsteered: assigned((context) => ({ ...effectOpened(context), steered: false })),
  /** A thought is asked for: one more round begins. */
  openThought: assigned((context) => ({
    ...effectOpened(context),
    rounds: context.rounds + 1,
    item_rounds: context.item_rounds + 1,
    iteration_count: context.iteration_count + 1,
  })),
  /** The next item is picked and in progress; a new item starts its rounds at zero. */
  pickItem: assigned((context) => {
    const index = nextItemIndex(context);
    const item = context.plan_items[index]!;
    const isSame = context.rounds_item_id === item.id;
    return {
      current_plan_index: index,
      plan_items: context.plan_items.map((other, i) => (i === index ? { ...other, status: 'in_progress' } : other)),
      deadlocks_in_a_row: 0,
      ...(isSame ? {} : { rounds: 0, rounds_item_id: item.id, item_rounds: 0, repeats: 0 }),
    };
  }),
  takeThought: onThought(() => ({})),
  refuseThought: onEvent('thought.rejected', (context, event) => ({
    ...withUsage(context, event),
    ...withFailure(context, event.reason),
    step_count: context.step_count + 1,
  })),
  completeItem: onThought(itemCompleted),
  /** The conclusion of an empty plan's thought is the answer (SPEC 3, `when_needed`). */
  concludeTask: onThought((context, event) => ({
    ...itemCompleted(context, event),
    pending_final_response: event.response,
    outcome: 'completed',
  })),
  /** The current item could not be done: it is blocked, and what depends on it can never run (SPEC 3, 5). */
  blockItem: onThought((context, event) => {
    const item = currentItem(context);
    return {
      ...itemEnded(context, 'blocked', event),
      abandoned_items: withAbandoned(context, context.plan_items, item === null ? [] : [item.id]),
      is_recovering: true,
    };
  }),
  observeAction: onEvent('observation.recorded', resultsTaken),
  observeActions: onEvent('observations.recorded', resultsTaken),
  /** The verifiers refused what was written: replan sees their output (SPEC 3). */
  failVerification: onEvent('verification.finished', (context, event) => ({
    needs_replan: true,
    steered: false,
    pending_final_response: null,
    outcome: null,
    is_recovering: true,
    verify_failures: context.verify_failures + 1,
    observations: withFinding(context, 'verification', 'verify', event.output),
  })),
  /** Nothing is left to verify until a tool writes again. */
  passVerification: assigned(() => ({ is_recovering: false, wrote: false })),
  /** The user's words join the task while it runs; the next outer loop replans (SPEC 2). */
  takeSteer: onEvent('steer.received', (context, event) => clarified(context, event.text, null)),
  noteSteered: assigned(() => ({ steered: true })),
};
