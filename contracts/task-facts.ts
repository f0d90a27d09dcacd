import type { TaskContext } from './task.ts';
import { totalTokens } from './usage.ts';

/** A time that readers in any time zone understand, such as `2026-01-06 00:00 UTC`; `at` in epoch milliseconds. */
export const utcMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Which of its own budgets a paused task has spent. */
export const spentBudget = ({ token_limit, is_usage_known, usage }: TaskContext): 'tokens' | 'cost' =>
  token_limit !== null && (!is_usage_known || totalTokens(usage) >= token_limit) ? 'tokens' : 'cost';

/** Steps that "continue" adds: `max_steps`, or the rest up to `max_total_steps` (SPEC 4). */
export const stepsAdded = ({ limits, step_count }: TaskContext): number =>
  Math.min(step_count + limits.max_steps, limits.max_total_steps) - step_count;
