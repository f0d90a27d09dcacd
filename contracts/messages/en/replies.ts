import type { PauseReason, TaskContext } from '../../task.ts';
import { totalTokens } from '../../usage.ts';

/** Steps that "continue" adds: `max_steps`, or what is left up to `max_total_steps` (SPEC 4). */
export const stepsAdded = ({ limits, step_count }: TaskContext): number =>
  Math.min(step_count + limits.max_steps, limits.max_total_steps) - step_count;

const withDetail = (text: string, detail: string | null): string => (detail === null ? text : `${text}: ${detail}`);

/** The replies that are built from the task alone, without a model (SPEC 4). */
export const replies = {
  confirm: (question: string) => `Please confirm: ${question}`,
  cancelled: (goal: string) => `Cancelled: ${goal}`,
  done: 'What is done',
  why: 'Why it is not finished',
  next: 'What to do next',
  nothingDone: 'No item of the plan is completed yet.',
  onlyAnswerMissing: 'Every item of the plan is completed; only the closing answer is missing.',
  ended: (step: string, result: string) => `${step}: ${result}`,
  more: (count: number) => `… and ${count} more`,
  underWay: (step: string) => `In progress: ${step}`,
  lastSuccess: (action: string, result: string) => `Last success: ${action}: ${result}`,
  left: (steps: string) => `Still to do: ${steps}`,
  /** Why a task is paused. The detail is a model's error or a verifier's output, as one line. */
  paused: {
    step_limit: ({ step_count, step_limit }: TaskContext, _detail: string | null) =>
      `The task used ${step_count} of ${step_limit} steps.`,
    model_unavailable: (_task: TaskContext, detail: string | null) => withDetail('The model gave no answer', detail),
    contract_failure: ({ replan_failures }: TaskContext, detail: string | null) =>
      withDetail(`The model's replans could not be used, ${replan_failures} in a row`, detail),
    deadlock: ({ plan_items }: TaskContext, _detail: string | null) =>
      `The plan is deadlocked: no item left can run (${plan_items.filter(({ status }) => status === 'blocked').length}), each waits for one that is not completed.`,
    verification_failed: ({ verify_failures, limits }: TaskContext, detail: string | null) =>
      withDetail(
        `What was written failed its verification (${verify_failures} of ${limits.verify_limit} attempts)`,
        detail,
      ),
    replan_limit: ({ replans, limits }: TaskContext, _detail: string | null) =>
      `The task used ${replans} of ${limits.max_replans} replans.`,
    crash_loop: (_task: TaskContext, detail: string | null) =>
      withDetail('The same action was interrupted again and again', detail),
    machine_changed: (_task: TaskContext, detail: string | null) =>
      withDetail('The service was updated while the task was open', detail),
    budget_exhausted: ({ usage, token_limit }: TaskContext, detail: string | null) =>
      detail === null && token_limit !== null
        ? `The task used ${totalTokens(usage)} of ${token_limit} tokens.`
        : withDetail('The quota is used up', detail),
  } satisfies Record<PauseReason, (task: TaskContext, detail: string | null) => string>,
  failed: ({ step_count, limits }: TaskContext) =>
    `The task used ${step_count} steps; ${limits.max_total_steps} is the most that one task may use.`,
  /** What a user can do about a pause. */
  toContinue: {
    step_limit: (task: TaskContext) => `Send "continue" for up to ${stepsAdded(task)} more steps.`,
    model_unavailable: (_task: TaskContext) => 'When the cause named above is removed, send "continue".',
    contract_failure: (_task: TaskContext) =>
      'Send "continue" to try again, or open a new task that states the goal in other words.',
    deadlock: (_task: TaskContext) => 'Change the plan with /plan, or send "continue" to replan the rest.',
    verification_failed: (_task: TaskContext) => 'Send "continue" to have it corrected, or correct it yourself first.',
    replan_limit: ({ limits }: TaskContext) => `Send "continue" for up to ${limits.max_replans} more replans.`,
    crash_loop: (_task: TaskContext) => 'See the log for what stops the action, then send "continue".',
    machine_changed: (_task: TaskContext) => 'Send "continue" to replan the rest.',
    budget_exhausted: ({ limits, pause_detail }: TaskContext) =>
      pause_detail === null && limits.max_task_tokens !== null
        ? `Send "continue" for ${limits.max_task_tokens} more tokens.`
        : 'Send "continue" when there is quota again.',
  } satisfies Record<PauseReason, (task: TaskContext) => string>,
  /** To a turn beyond those that its owner may send a day. */
  turnsOfDay: (turns: number, resetsAt: string) =>
    `You may send ${turns} turns a day; the next day begins at ${resetsAt}`,
  afterFailure: 'This task has ended. Send what is still to do as a new message: it opens a new task.',
};
