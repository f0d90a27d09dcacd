import { assign, setup } from 'xstate';
import type { Effect, EffectType, TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { PauseReason, TaskContext } from '../contracts/task.ts';
import * as loop from './changes/loop-changes.ts';
import * as plan from './changes/plan-changes.ts';
import * as waiting from './changes/waiting-changes.ts';
import { as, guards } from './guards.ts';
import { allowedStatuses, allowedTools, currentItem } from './plan-items.ts';

/** A change of a task by one action, as a pure function of the task and the event. */
type Change = (scope: { context: TaskContext; event: TaskEvent }) => Partial<TaskContext>;

/** The `metadata` and `context` of a user's turn; the newest count. */
const brought = (event: TaskEvent): Partial<TaskContext> => ({
  ...('metadata' in event && event.metadata !== undefined && { metadata: event.metadata }),
  ...('context' in event && event.context !== undefined && { background: event.context }),
});

/** XState's `assign` with the machine's types. */
const assigned = (change: Change) =>
  assign<TaskContext, TaskEvent, undefined, TaskEvent, never>((scope) => ({
    ...change(scope),
    ...brought(scope.event),
  }));

/** One change made of two; the second sees what the first left. */
const both =
  (first: Change, second: Change): Change =>
  ({ context, event }) => {
    const changed = first({ context, event });
    return { ...changed, ...second({ context: { ...context, ...changed }, event }) };
  };

/** The change of every accepted thought. */
const thoughtTaken: Change = ({ context, event }) => loop.thoughtTaken(context, as('thought.made', event));

/** Events that answer a question: by words, or as a decision about an action. */
const asAnswer = (event: TaskEvent) => (event.type === 'decision.received' ? event : as('answer.received', event));

/** The machine's actions that change the task. None has a side effect. */
export const actions = {
  openEffect: assigned(({ context }) => loop.effectOpened(context)),
  openUnsteered: assigned(({ context }) => ({ ...loop.effectOpened(context), steered: false })),
  openThought: assigned(({ context }) => ({ ...loop.effectOpened(context), ...loop.roundBegun(context) })),
  acceptPlan: assigned(({ context, event }) => plan.planAccepted(context, as('plan.made', event))),
  refusePlan: assigned(({ context, event }) => plan.planRefused(context, as('plan.rejected', event))),
  takeGoalAsPlan: assigned(({ context }) => plan.goalAsPlan(context)),
  acceptReplan: assigned(({ context, event }) => plan.replanAccepted(context, as('replan.made', event))),
  countReplan: assigned(({ context, event }) => plan.replanCounted(context, as('replan.made', event))),
  refuseReplan: assigned(({ context, event }) => plan.replanRefused(context, as('replan.rejected', event))),
  editPlan: assigned(({ context, event }) => plan.planEdited(context, as('plan.edited', event))),
  markDeadlocked: assigned(({ context }) => plan.deadlocked(context)),
  requireReplan: assigned(() => ({ needs_replan: true })),
  pickItem: assigned(({ context }) => loop.itemPicked(context)),
  takeThought: assigned(thoughtTaken),
  refuseThought: assigned(({ context, event }) => loop.thoughtRefused(context, as('thought.rejected', event))),
  completeItem: assigned(
    both(thoughtTaken, ({ context, event }) => loop.itemCompleted(context, as('thought.made', event))),
  ),
  concludeTask: assigned(
    both(thoughtTaken, ({ context, event }) => loop.concluded(context, as('thought.made', event))),
  ),
  blockItem: assigned(both(thoughtTaken, ({ context, event }) => loop.itemBlocked(context, as('thought.made', event)))),
  observeAction: assigned(({ context, event }) => loop.actionObserved(context, as('observation.recorded', event))),
  failVerification: assigned(({ context, event }) =>
    loop.verificationFailed(context, as('verification.finished', event)),
  ),
  askThoughtsQuestion: assigned(
    both(thoughtTaken, ({ context, event }) => waiting.askedByThought(context, as('thought.made', event))),
  ),
  askForApproval: assigned(both(thoughtTaken, ({ context }) => waiting.askedForApproval(context))),
  askWhatToDo: assigned(({ context }) => waiting.askedWhatToDo(context)),
  askAboutPlan: assigned(({ context, event }) =>
    waiting.askedAboutPlan(context, event.type === 'replan.made' ? event.response : null),
  ),
  takeAnswer: assigned(({ context, event }) => waiting.answered(context, as('answer.received', event))),
  approveAction: assigned(({ context, event }) => waiting.actionApproved(context, asAnswer(event))),
  rejectAction: assigned(({ context, event }) => waiting.actionRejected(context, asAnswer(event))),
  withdrawApproval: assigned(({ context }) => waiting.approvalWithdrawn(context)),
  takeAgreement: assigned(() => waiting.agreed),
  takeSteer: assigned(({ context, event }) => loop.clarified(context, as('steer.received', event).text, null)),
  noteSteered: assigned(() => ({ steered: true })),
  keepResponse: assigned(({ event }) => plan.responseKept(as('replan.made', event))),
  dropResponse: assigned(() => ({ pending_final_response: null, outcome: null, needs_replan: true, steered: false })),
  passVerification: assigned(() => ({ is_recovering: false })),
  finish: assigned(({ context }) => ({ ...plan.leftoversDropped(context), needs_replan: false })),
  end: assigned(() => ({ open_effect: null, pause_reason: null, pause_detail: null })),
  resume: assigned(({ context }) => waiting.resumed(context)),
  changeNothing: assigned(() => ({})),
  stopAsking: assigned(() => ({ awaiting_clarification: false, awaiting: null })),
};

/** Parameters of an effect's action beside its type. */
interface Requested<Type extends EffectType> {
  effect: number;
  params: EffectParams<Type>;
}

/** An effect is an action that is named and never run: `step` reads its type and params. */
const effect = <Type extends EffectType>(_: unknown, _requested: Requested<Type>): void => {};

/** The machine's types, guards and actions; all of them are pure. */
export const taskSetup = setup({
  types: {
    context: {} as TaskContext,
    events: {} as TaskEvent,
    input: {} as TaskOpened,
  },
  guards,
  actions: {
    ...actions,
    pause: assign(({ context, event }, { reason }: { reason: PauseReason }) => waiting.paused(context, reason, event)),
    setOutcome: assign((_, { outcome }: { outcome: TaskContext['outcome'] }) => ({ outcome })),
    'model.plan': effect<'model.plan'>,
    'model.thought': effect<'model.thought'>,
    'model.replan': effect<'model.replan'>,
    'tool.call': effect<'tool.call'>,
    'verify.run': effect<'verify.run'>,
  },
});

/** The action that asks for an effect, under the number that `openEffect` has just given it. */
export const requests = <Type extends EffectType>(type: Type) => ({
  type,
  params: ({ context }: { context: TaskContext }): Requested<Type> => ({
    effect: context.open_effect ?? 0,
    params: effectParams[type](context),
  }),
});

/** Parameters of one kind of effect. */
type EffectParams<Type extends EffectType> = Extract<Effect, { type: Type }>['params'];

/** The params of each effect, from the task alone, so that a replay can compare them. */
const effectParams: { [Type in EffectType]: (context: TaskContext) => EffectParams<Type> } = {
  'model.plan': (context) => ({ attempt: context.plan_failures + 1 }),
  'model.thought': (context) => ({ item_id: currentItem(context)?.id ?? null, may: allowedStatuses(context) }),
  'model.replan': (context) => ({ attempt: context.replan_failures + 1 }),
  'tool.call': (context) => {
    const action = context.last_thought_snapshot?.next_action;
    const item = currentItem(context);
    if (!action || !item || !allowedTools(context).includes(action.tool)) throw new Error('no action is open');
    return { tool: action.tool, input: action.input, item_id: item.id, executor: item.executor };
  },
  'verify.run': (context) => ({ attempt: context.verify_failures + 1 }),
};
