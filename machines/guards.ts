import type { EventOf, TaskEvent, TaskEventType } from '../contracts/event.ts';
import type { TaskContext } from '../contracts/task.ts';
import { needsApproval, pendingAction } from './approvals.ts';
import { agreesToPlan, isNo } from './phrases.ts';
import { hasOpenItems, isNarrowedByFailures, mayConclude, nextItemIndex } from './plan-items.ts';
import { decisionOf } from './questions.ts';
import { isCostBudgetSpent, isTokenBudgetSpent } from './tallies.ts';
import { pendingToolQuestion, readToolAnswer } from './tool-questions.ts';

const areStepsSpent = ({ step_count, step_limit }: TaskContext): boolean => step_count >= step_limit;

/** Guards that know their answer before an event: they see the task alone. */
export const taskGuards = {
  isBudgetSpent: ({ context }) => areStepsSpent(context) || isTokenBudgetSpent(context) || isCostBudgetSpent(context),
  areStepsSpent: ({ context }) => areStepsSpent(context),
  isStepLimitFinal: ({ context: { step_limit, step_count, limits } }) =>
    Math.max(step_limit, step_count) >= limits.max_total_steps,
  needsReplan: ({ context }) => context.needs_replan,
  areReplansSpent: ({ context }) => context.replans >= context.limits.max_replans,
  isPlanInitialized: ({ context }) => context.plan_initialized,
  /** The task has a plan that a model need not look at before it is carried out: one of its user's own. */
  isPlanReady: ({ context }) => context.plan_initialized && !context.needs_replan,
  plansFirst: ({ context }) => context.planning,
  confirmsPlan: ({ context }) => context.confirm_plan !== false && !context.plan_confirmed,
  /** The plan is shown before anything was looked at. */
  confirmsFirstPlan: ({ context }) => context.confirm_plan === true && !context.plan_confirmed,
  arePlanRetriesSpent: ({ context }) => context.plan_failures >= context.limits.plan_retries,
  areReplanRetriesSpent: ({ context }) => context.replan_failures + 1 >= context.limits.failure_limit,
  isPlanEmpty: ({ context }) => context.plan_items.length === 0,
  canPickItem: ({ context }) => nextItemIndex(context) >= 0,
  isDeadlocked: ({ context }) => hasOpenItems(context),
  wasDeadlocked: ({ context }) => context.deadlocks_in_a_row >= 1,
  isRejectedAgain: ({ context }) => isNarrowedByFailures(context),
  isSteered: ({ context }) => context.steered,
  needsVerifying: ({ context }) => context.verifies && context.wrote,
  isVerifySpent: ({ context }) => context.verify_failures + 1 >= context.limits.verify_limit,
  isPlanShown: ({ context }) => context.awaiting === 'confirm_plan',
  isQuestionExpired: ({ context }) => context.expired !== null,
  isApprovalPending: ({ context }) => pendingAction(context) !== null,
  isToolAsking: ({ context }) => pendingToolQuestion(context) !== null,
  /** The tool asks more than the request that this answers. */
  asksMore: ({ context: { tool_question } }) =>
    tool_question !== null && tool_question.answers.length + 1 < tool_question.requests.length,
  isActionHeld: ({ context }) => pendingAction(context) !== null || pendingToolQuestion(context) !== null,
} satisfies Record<string, (scope: { context: TaskContext }) => boolean>;

/** Guards that an event decides. */
const eventGuards = {
  hasPlan: ({ event }) => eventAs('plan.made', event).plan.length > 0,
  wantsAction: ({ event }) => eventAs('thought.made', event).status === 'continue',
  needsApproval: ({ context, event }) => needsApproval(context, eventAs('thought.made', event)),
  concludesTask: ({ context, event }) => {
    const { status, response } = eventAs('thought.made', event);
    return status === 'done' && response !== null && mayConclude(context);
  },
  asksUser: ({ event }) => eventAs('thought.made', event).status === 'ask_user',
  givesItemUp: ({ event }) => eventAs('thought.made', event).outcome === 'blocked',
  isDone: ({ event }) => eventAs('replan.made', event).status === 'done',
  isVerified: ({ event }) => eventAs('verification.finished', event).ok,
  saysYes: ({ event }) => agreesToPlan(eventAs('answer.received', event).text),
  saysNo: ({ event }) => isNo(eventAs('answer.received', event).text),
  /** The answer does not fit the form of the tool's question. */
  isMisfit: ({ context, event }) => 'faults' in readToolAnswer(context, eventAs('answer.received', event)),
  letsItRun: ({ context, event }) =>
    (event.type === 'answer.received' || event.type === 'decision.received') &&
    decisionOf(context, event).type !== 'reject',
} satisfies Record<string, (scope: { context: TaskContext; event: TaskEvent }) => boolean>;

/** The machine's guards, by names that read as sentences; states combine them. Pure functions of the task and the event. */
export const guards = { ...taskGuards, ...eventGuards };

/** The event as its own type: an action or a guard of one transition sees that transition's event only. */
export const eventAs = <Type extends TaskEventType>(type: Type, event: { type: string }): EventOf<Type> => {
  if (event.type !== type) throw new Error(`something for ${type} ran at ${event.type}`);
  return event as EventOf<Type>;
};
