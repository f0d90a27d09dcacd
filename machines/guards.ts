import type { TaskEvent } from '../contracts/event.ts';
import type { TaskContext } from '../contracts/task.ts';
import { decisionOf, needsApproval, pendingAction } from './approval.ts';
import { hasOpenItems, isNarrowedByFailures, nextItemIndex } from './current-item.ts';
import { as } from './event-as.ts';
import { isNo, isYes } from './phrases.ts';
import { isTokenBudgetSpent } from './token-budget.ts';

type Guard = (scope: { context: TaskContext; event: TaskEvent }) => boolean;

/** The machine's guards, by names that read as sentences. Pure functions of the task and the event. */
export const guards = {
  isBudgetSpent: ({ context }) => context.step_count >= context.step_limit,
  isBudgetSpentForGood: ({ context }) =>
    context.step_count >= context.step_limit && context.step_limit >= context.limits.max_total_steps,
  isTokenBudgetSpent: ({ context }) => isTokenBudgetSpent(context),
  needsReplan: ({ context }) => context.needs_replan,
  areReplansSpent: ({ context }) => context.needs_replan && context.replans >= context.limits.max_replans,
  isPlanInitialized: ({ context }) => context.plan_initialized,
  isPlanToBeConfirmed: ({ context, event }) =>
    context.confirm_plan && (event.type === 'plan.made' ? event.plan.length > 0 : true),
  skipsPlanning: ({ context }) => !context.planning,
  skipsPlanningAndConfirms: ({ context }) => !context.planning && context.confirm_plan,
  arePlanRetriesSpent: ({ context }) => context.plan_failures >= context.limits.plan_retries,
  arePlanRetriesSpentAndConfirm: ({ context }) =>
    context.confirm_plan && context.plan_failures >= context.limits.plan_retries,
  areReplanRetriesSpent: ({ context }) => context.replan_failures + 1 >= context.limits.failure_limit,
  isPlanEmpty: ({ context }) => context.plan_items.length === 0,
  canPickItem: ({ context }) => nextItemIndex(context) >= 0,
  isDeadlocked: ({ context }) => hasOpenItems(context),
  isDeadlockedAgain: ({ context }) => hasOpenItems(context) && context.deadlocks_in_a_row >= 1,
  wantsAction: ({ event }) => as('thought.made', event).status === 'continue',
  wantsUnapprovedAction: ({ context, event }) => {
    const { status, next_action } = as('thought.made', event);
    return status === 'continue' && next_action !== null && needsApproval(context, next_action.tool);
  },
  asksUser: ({ event }) => as('thought.made', event).status === 'ask_user',
  givesItemUp: ({ event }) => as('thought.made', event).outcome === 'blocked',
  isRejectedAgain: ({ context }) => isNarrowedByFailures(context),
  isDone: ({ event }) => as('replan.made', event).status === 'done',
  isDoneButSteered: ({ context, event }) => as('replan.made', event).status === 'done' && context.steered,
  isDoneUnverified: ({ context, event }) =>
    as('replan.made', event).status === 'done' && context.verifies && context.wrote,
  isVerified: ({ event }) => as('verification.finished', event).ok,
  isVerifiedButSteered: ({ context, event }) => as('verification.finished', event).ok && context.steered,
  isVerifySpent: ({ context }) => context.verify_failures + 1 >= context.limits.verify_limit,
  agreesToPlan: ({ context, event }) => context.awaiting === 'confirm_plan' && isYes(as('answer.received', event).text),
  isApprovalPending: ({ context }) => pendingAction(context) !== null,
  approvesAction: ({ context, event }) =>
    (event.type === 'answer.received' || event.type === 'decision.received') &&
    pendingAction(context) !== null &&
    decisionOf(context, event).type !== 'reject',
  refusesPlan: ({ context, event }) => context.awaiting === 'confirm_plan' && isNo(as('answer.received', event).text),
} satisfies Record<string, Guard>;
