import type { EventOf } from '../../contracts/event.ts';
import type { PauseReason, TaskContext } from '../../contracts/task.ts';
import { as } from '../event-as.ts';
import { failuresQuestion, planQuestion } from '../questions.ts';
import { withoutFailures } from './failures.ts';
import { clarified } from './loop-changes.ts';

/** One more effect is asked for; its id is the task's id and its number in the task. */
export const effectOpened = (context: TaskContext): Partial<TaskContext> => ({
  effects_requested: context.effects_requested + 1,
  open_effect_id: `${context.task_id}.${context.effects_requested + 1}`,
});

/** The task waits for the user with this question (SPEC 6). */
export const asked = (
  context: TaskContext,
  awaiting: NonNullable<TaskContext['awaiting']>,
  question: string,
): Partial<TaskContext> => ({
  awaiting_clarification: true,
  awaiting,
  last_ask_user_question: question,
  questions_asked: context.questions_asked + (awaiting === 'thought' ? 1 : 0),
  open_effect_id: null,
});

/** The machine itself asks, naming the failures. */
export const askedWhatToDo = (context: TaskContext): Partial<TaskContext> =>
  asked(context, 'failures', failuresQuestion(context));

/** The machine asks whether the plan may be carried out. */
export const askedAboutPlan = (context: TaskContext): Partial<TaskContext> =>
  asked(context, 'confirm_plan', planQuestion(context));

const answeredNow: Partial<TaskContext> = { awaiting_clarification: false, awaiting: null, ...withoutFailures };

/** The user answered: it joins the clarifications, the failures are forgiven, and replan comes next (SPEC 6). */
export const answered = (context: TaskContext, event: EventOf<'answer.received'>): Partial<TaskContext> => ({
  ...clarified(context, event.text, context.last_ask_user_question),
  ...answeredNow,
  rounds: 0,
  repeats: 0,
});

/** The user agreed to the plan: nothing new was said, so nothing is replanned. */
export const agreed = (_context: TaskContext): Partial<TaskContext> => answeredNow;

/**
 * A paused task goes on (SPEC 6): replan comes next, whichever counter paused it is cleared, and a spent budget grows to the
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
    needs_replan: context.plan_initialized,
    rounds: 0,
    repeats: 0,
    ...(isSpent ? { step_limit: Math.min(context.step_count + max_steps, max_total_steps) } : {}),
    ...(context.pause_reason === 'contract_failure' ? { replan_failures: 0 } : {}),
    ...(context.pause_reason === 'deadlock' ? { deadlocks_in_a_row: 0 } : {}),
    ...(context.pause_reason === 'verification_failed' ? { verify_failures: 0 } : {}),
    ...(context.pause_reason === 'replan_limit' ? { replans: 0 } : {}),
  };
};

/** What the event says of a pause beyond its reason; null where the reason says it all. */
const pauseDetail = (reason: PauseReason, event: { type: string }): string | null => {
  switch (reason) {
    case 'contract_failure':
      return as('replan.rejected', event).reason;
    case 'verification_failed':
      return as('verification.finished', event).output;
    case 'model_unavailable':
      return as('model.unavailable', event).reason;
    case 'crash_loop':
      return `begun ${as('effect.abandoned', event).begins} times without an outcome`;
    case 'budget_exhausted':
      return as('quota.exhausted', event).reason;
    case 'machine_changed':
      return as('machine.changed', event).reason;
    case 'step_limit':
    case 'replan_limit':
    case 'deadlock':
      return null;
    default:
      return reason satisfies never;
  }
};

/** The task is paused, whatever for: nothing is open any more, and nothing else is lost (SPEC 6). */
export const paused = (reason: PauseReason, event: { type: string }): Partial<TaskContext> => ({
  pause_reason: reason,
  pause_detail: pauseDetail(reason, event),
  open_effect_id: null,
});
