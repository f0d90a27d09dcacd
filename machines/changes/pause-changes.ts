import { messages } from '../../contracts/messages/messages.ts';
import type { PauseReason, TaskContext } from '../../contracts/task.ts';
import { as } from '../guards.ts';
import { nextTokenLimit, withoutFailures } from './tallies.ts';

/**
 * A paused task resumes (SPEC 6): replan comes next, whichever counter paused it is cleared, and a spent budget grows to the
 * lesser of `step_count + max_steps` and `max_total_steps` (SPEC 4).
 */
export const resumed = (context: TaskContext): Partial<TaskContext> => {
  const { max_steps, max_total_steps } = context.limits;
  const isSpent = context.step_count >= context.step_limit;
  return {
    ...withoutFailures,
    pause_reason: null,
    pause_detail: null,
    pending_final_response: null,
    outcome: null,
    needs_replan: context.plan_initialized,
    rounds: 0,
    repeats: 0,
    token_limit: nextTokenLimit(context),
    ...(isSpent ? { step_limit: Math.min(context.step_count + max_steps, max_total_steps) } : {}),
    ...(context.pause_reason === 'contract_failure' ? { replan_failures: 0 } : {}),
    ...(context.pause_reason === 'deadlock' ? { deadlocks_in_a_row: 0 } : {}),
    ...(context.pause_reason === 'verification_failed' ? { verify_failures: 0 } : {}),
    ...(context.pause_reason === 'replan_limit' ? { replans: 0 } : {}),
  };
};

/** What the event says of a pause beyond its reason; null where the reason says it all. */
const pauseDetail = ({ language }: TaskContext, reason: PauseReason, event: { type: string }): string | null => {
  const texts = messages(language).taskNotes;
  switch (reason) {
    case 'contract_failure':
      return as('replan.rejected', event).reason;
    case 'verification_failed':
      return as('verification.finished', event).output;
    case 'model_unavailable':
      return as('model.unavailable', event).reason;
    case 'crash_loop':
      return texts.interrupted(as('effect.abandoned', event).begins);
    case 'budget_exhausted':
      return event.type === 'quota.exhausted' ? as('quota.exhausted', event).reason : null;
    case 'machine_changed': {
      const { from, to, reason: difference } = as('machine.changed', event);
      return texts.machineChanged(from, to, difference);
    }
    case 'step_limit':
    case 'replan_limit':
    case 'deadlock':
      return null;
    default:
      return reason satisfies never;
  }
};

/** The task is paused, whatever for: nothing is open any more, and nothing else is lost (SPEC 6). */
export const paused = (context: TaskContext, reason: PauseReason, event: { type: string }): Partial<TaskContext> => ({
  pause_reason: reason,
  pause_detail: pauseDetail(context, reason, event),
  open_effect: null,
});
