import { hasOpenItems, isNarrowedByFailures, nextItemIndex } from './current-item.ts';
import { as } from './event-as.ts';
import type { Guard } from './known-paths.ts';
import { isNo, isYes } from './phrases.ts';

/** The questions that the machine asks about a task and the event that it meets; each reads as a sentence. */
export const guards = {
  isBudgetSpent: ({ task }) => task.step_count >= task.step_limit,
  isBudgetSpentForGood: ({ task }) =>
    task.step_count >= task.step_limit && task.step_limit >= task.limits.max_total_steps,
  needsReplan: ({ task }) => task.needs_replan,
  areReplansSpent: ({ task }) => task.needs_replan && task.replans >= task.limits.max_replans,
  isPlanInitialized: ({ task }) => task.plan_initialized,
  isPlanToBeConfirmed: ({ task, event }) =>
    task.confirm_plan && (event.type === 'plan.made' ? event.plan.length > 0 : true),
  arePlanRetriesSpent: ({ task }) => task.plan_failures >= task.limits.plan_retries,
  arePlanRetriesSpentAndConfirm: ({ task }) => task.confirm_plan && task.plan_failures >= task.limits.plan_retries,
  areReplanRetriesSpent: ({ task }) => task.replan_failures + 1 >= task.limits.failure_limit,
  isPlanEmpty: ({ task }) => task.plan_items.length === 0,
  canPickItem: ({ task }) => nextItemIndex(task) >= 0,
  isDeadlocked: ({ task }) => hasOpenItems(task),
  isDeadlockedAgain: ({ task }) => hasOpenItems(task) && task.deadlocks_in_a_row >= 1,
  wantsAction: ({ event }) => as('thought.made', event).status === 'continue',
  asksUser: ({ event }) => as('thought.made', event).status === 'ask_user',
  givesItemUp: ({ event }) => as('thought.made', event).signal === 'replan',
  isRejectedAgain: ({ task }) => isNarrowedByFailures(task),
  isDone: ({ event }) => as('replan.made', event).status === 'done',
  isDoneUnheard: ({ task, event }) => as('replan.made', event).status === 'done' && task.steered,
  isDoneUnverified: ({ task, event }) => as('replan.made', event).status === 'done' && task.verifies && task.wrote,
  isVerified: ({ event }) => as('verification.finished', event).ok,
  isVerifiedUnheard: ({ task, event }) => as('verification.finished', event).ok && task.steered,
  isVerifySpent: ({ task }) => task.verify_failures + 1 >= task.limits.verify_limit,
  agreesToPlan: ({ task, event }) => task.awaiting === 'confirm_plan' && isYes(as('answer.received', event).text),
  refusesPlan: ({ task, event }) => task.awaiting === 'confirm_plan' && isNo(as('answer.received', event).text),
} satisfies Record<string, Guard>;
