import type { TaskContext } from '../../contracts/task.ts';
import { cutText } from '../cut-text.ts';

/** Characters kept of one failure's reason: enough to name it in a question and in a prompt. */
const FAILURE_CHARS_MAX = 300;

/** Failures whose reasons are kept: the question names these, older ones are in the trace. */
const FAILURES_KEPT = 10;

/** One more failure in a row (SPEC 6). */
export const withFailure = (context: TaskContext, reason: string): Partial<TaskContext> => ({
  consecutive_failures: context.consecutive_failures + 1,
  recent_failures: [...context.recent_failures, cutText(reason, FAILURE_CHARS_MAX)].slice(-FAILURES_KEPT),
});

/** The failures in a row are over: a tool succeeded, the item ended, the user answered or resumed (SPEC 6). */
export const withoutFailures: Partial<TaskContext> = { consecutive_failures: 0, recent_failures: [] };
