import { assign, setup } from 'xstate';
import type { Effect, EffectType } from '../contracts/effect.ts';
import type { EventOf, TaskEvent, TaskEventType, TaskOpened } from '../contracts/event.ts';
import type { PauseReason, TaskContext } from '../contracts/task.ts';
import * as loop from './changes/loop-changes.ts';
import * as plan from './changes/plan-changes.ts';
import * as rest from './changes/rest-changes.ts';
import { initialContext } from './context.ts';
import {
  allowedStatuses,
  allowedTools,
  currentItem,
  hasOpenItems,
  isNarrowedByFailures,
  nextItemIndex,
} from './current-item.ts';
import { isNo, isYes } from './phrases.ts';

type Params<Type extends EffectType> = Omit<Extract<Effect, { type: Type }>, 'type'>;
type Scope = { context: MachineContext; event: TaskEvent };

/** The task is one field of XState's context: XState copies the context key by key, which is slow for many keys. */
export interface MachineContext {
  task: TaskContext;
}

/** A change of the task as a pure function of it and of the event. */
type Change = (scope: { task: TaskContext; event: TaskEvent }) => Partial<TaskContext>;

/** An action that changes the task, by one function after the other: XState makes a new snapshot for each action, so they share one. */
const changed = (...changes: Change[]) =>
  assign<MachineContext, TaskEvent, undefined, TaskEvent, never>(({ context: { task: before }, event }) => {
    let task = before;
    for (const change of changes) task = { ...task, ...change({ task, event }) };
    return { task };
  });

/** What every thought that was made does, whatever it said. */
const thoughtTaken: Change = ({ task, event }) => loop.thoughtTaken(task, as('thought.made', event));

/** The event as its own type: an action of one transition sees that transition's event only. */
export const as = <Type extends TaskEventType>(type: Type, event: { type: string }): EventOf<Type> => {
  if (event.type !== type) throw new Error(`an action for ${type} ran at ${event.type}`);
  return event as EventOf<Type>;
};

/** An effect is named, never run: who calls `transition()` reads its params (`step.ts`). */
const named = <Type extends EffectType>(_: Scope, _params: Params<Type>): void => {};

/** The context a task that was never opened has: XState asks for one at every `transition()`, so it must not throw. */
const UNOPENED = initialContext({
  type: 'task.opened',
  task_id: 'task_0',
  session_id: 'none',
  turn_id: 'turn_0',
  goal: '',
  language: 'en',
  limits: {
    max_steps: 1,
    max_total_steps: 1,
    failure_limit: 1,
    plan_retries: 0,
    max_questions: 0,
    max_plan_items: 1,
    max_rounds_per_item: 1,
    max_replans: 1,
    verify_limit: 1,
  },
  catalogue: { tools: [], executors: [] },
  confirm_plan: false,
  verifies: false,
});

/** The context that a task begins with, also where XState gives no input. */
export const contextFor = (input: TaskOpened | undefined): MachineContext => ({
  task: input === undefined ? UNOPENED : initialContext(input),
});

/** The vocabulary of the machine: its guards read as sentences, its actions as facts; all of them pure. */
export const taskSetup = setup({
  types: {
    context: {} as MachineContext,
    events: {} as TaskEvent,
    input: {} as TaskOpened,
  },
  guards: {
    isBudgetSpent: ({ context: { task } }) => task.step_count >= task.step_limit,
    isBudgetSpentForGood: ({ context: { task } }) =>
      task.step_count >= task.step_limit && task.step_limit >= task.limits.max_total_steps,
    needsReplan: ({ context: { task } }) => task.needs_replan,
    areReplansSpent: ({ context: { task } }) => task.needs_replan && task.replans >= task.limits.max_replans,
    isPlanInitialized: ({ context: { task } }) => task.plan_initialized,
    isPlanToBeConfirmed: ({ context: { task }, event }) =>
      task.confirm_plan && (event.type === 'plan.made' ? event.plan.length > 0 : true),
    arePlanRetriesSpent: ({ context: { task } }) => task.plan_failures >= task.limits.plan_retries,
    arePlanRetriesSpentAndConfirm: ({ context: { task } }) =>
      task.confirm_plan && task.plan_failures >= task.limits.plan_retries,
    areReplanRetriesSpent: ({ context: { task } }) => task.replan_failures + 1 >= task.limits.failure_limit,
    isPlanEmpty: ({ context: { task } }) => task.plan_items.length === 0,
    canPickItem: ({ context: { task } }) => nextItemIndex(task) >= 0,
    isDeadlocked: ({ context: { task } }) => hasOpenItems(task),
    isDeadlockedAgain: ({ context: { task } }) => hasOpenItems(task) && task.deadlocks_in_a_row >= 1,
    wantsAction: ({ event }) => as('thought.made', event).status === 'continue',
    asksUser: ({ event }) => as('thought.made', event).status === 'ask_user',
    givesItemUp: ({ event }) => as('thought.made', event).signal === 'replan',
    isRejectedAgain: ({ context: { task } }) => isNarrowedByFailures(task),
    isDone: ({ event }) => as('replan.made', event).status === 'done',
    isDoneUnheard: ({ context: { task }, event }) => as('replan.made', event).status === 'done' && task.steered,
    isDoneUnverified: ({ context: { task }, event }) =>
      as('replan.made', event).status === 'done' && task.verifies && task.wrote,
    isVerified: ({ event }) => as('verification.finished', event).ok,
    isVerifiedUnheard: ({ context: { task }, event }) => as('verification.finished', event).ok && task.steered,
    isVerifySpent: ({ context: { task } }) => task.verify_failures + 1 >= task.limits.verify_limit,
    agreesToPlan: ({ context: { task }, event }) =>
      task.awaiting === 'confirm_plan' && isYes(as('answer.received', event).text),
    refusesPlan: ({ context: { task }, event }) =>
      task.awaiting === 'confirm_plan' && isNo(as('answer.received', event).text),
  },
  actions: {
    openEffect: changed(({ task }) => rest.effectOpened(task)),
    openThought: changed(({ task }) => ({
      ...rest.effectOpened(task),
      rounds: task.rounds + 1,
      iteration_count: task.iteration_count + 1,
    })),
    openHeardEffect: changed(({ task }) => ({ ...rest.effectOpened(task), steered: false })),
    acceptPlan: changed(({ task, event }) => plan.planAccepted(task, as('plan.made', event))),
    refusePlan: changed(({ task, event }) => plan.planRefused(task, as('plan.rejected', event))),
    takeGoalAsPlan: changed(({ task }) => plan.goalAsPlan(task)),
    acceptReplan: changed(({ task, event }) => plan.replanAccepted(task, as('replan.made', event))),
    countReplan: changed(({ task, event }) => plan.replanCounted(task, as('replan.made', event))),
    refuseReplan: changed(({ task, event }) => plan.replanRefused(task, as('replan.rejected', event))),
    editPlan: changed(({ task, event }) => plan.planEdited(task, as('plan.edited', event))),
    markDeadlocked: changed(({ task }) => plan.deadlocked(task)),
    requireReplan: changed(() => ({ needs_replan: true })),
    pickItem: changed(({ task }) => loop.itemPicked(task)),
    takeThought: changed(thoughtTaken),
    refuseThought: changed(({ task, event }) => loop.thoughtRefused(task, as('thought.rejected', event))),
    completeItem: changed(thoughtTaken, ({ task, event }) => loop.itemCompleted(task, as('thought.made', event))),
    blockItem: changed(thoughtTaken, ({ task, event }) => loop.itemBlocked(task, as('thought.made', event))),
    observeAction: changed(({ task, event }) => loop.actionObserved(task, as('observation.recorded', event))),
    failVerification: changed(({ task, event }) => loop.verificationFailed(task, as('verification.finished', event))),
    askThoughtsQuestion: changed(thoughtTaken, ({ task, event }) =>
      rest.asked(task, 'thought', as('thought.made', event).question ?? ''),
    ),
    askWhatToDo: changed(({ task }) => rest.askedWhatToDo(task)),
    askAboutPlan: changed(({ task }) => rest.askedAboutPlan(task)),
    takeAnswer: changed(({ task, event }) => rest.answered(task, as('answer.received', event))),
    takeAgreement: changed(({ task }) => rest.agreed(task)),
    takeSteer: changed(({ task, event }) => loop.clarified(task, as('steer.received', event).text, null)),
    noteSteered: changed(() => ({ steered: true })),
    keepResponse: changed(({ event }) => ({ pending_final_response: as('replan.made', event).response })),
    dropResponse: changed(() => ({ pending_final_response: null, needs_replan: true, steered: false })),
    finish: changed(({ task }) => ({ ...plan.leftoversDropped(task), needs_replan: false })),
    pause: assign(({ context: { task } }, params: { reason: PauseReason; detail?: string }) => ({
      task: {
        ...task,
        pause_reason: params.reason,
        pause_detail: params.detail ?? null,
        open_effect_id: null,
      },
    })),
    end: changed(() => ({ open_effect_id: null, pause_reason: null, pause_detail: null })),
    resume: changed(({ task }) => rest.resumed(task)),
    changeNothing: changed(() => ({})),
    stopAsking: changed(() => ({ awaiting_clarification: false, awaiting: null })),
    'model.plan': named<'model.plan'>,
    'model.thought': named<'model.thought'>,
    'model.replan': named<'model.replan'>,
    'tool.call': named<'tool.call'>,
    'verify.run': named<'verify.run'>,
  },
});

const effectId = (task: TaskContext): string => task.open_effect_id ?? '';

/** The params of each effect, from the context alone, so that a replay can compare them. */
export const effectParams = {
  plan: ({ context: { task } }: { context: MachineContext }): Params<'model.plan'> => ({
    effect_id: effectId(task),
    params: { attempt: task.plan_failures + 1 },
  }),
  thought: ({ context: { task } }: { context: MachineContext }): Params<'model.thought'> => ({
    effect_id: effectId(task),
    params: { item_id: currentItem(task)?.id ?? null, may: allowedStatuses(task) },
  }),
  replan: ({ context: { task } }: { context: MachineContext }): Params<'model.replan'> => ({
    effect_id: effectId(task),
    params: { attempt: task.replan_failures + 1 },
  }),
  toolCall: ({ context: { task } }: { context: MachineContext }): Params<'tool.call'> => {
    const action = task.last_thought_snapshot?.next_action;
    const item = currentItem(task);
    if (!action || !item || !allowedTools(task).includes(action.tool)) throw new Error('no action is open');
    return {
      effect_id: effectId(task),
      params: { tool: action.tool, input: action.input, item_id: item.id, executor: item.executor },
    };
  },
  verify: ({ context: { task } }: { context: MachineContext }): Params<'verify.run'> => ({
    effect_id: effectId(task),
    params: { attempt: task.verify_failures + 1 },
  }),
};
