import { addCosts } from '../../contracts/cost.ts';
import { OBSERVATION_CHARS_MAX, OBSERVATIONS_KEPT } from '../../contracts/limits.ts';
import type { Observation } from '../../contracts/observation.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { addUsage, type CallUsage, totalTokens } from '../../contracts/usage.ts';
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

/** The task's observations with one more, cut to its limit; the oldest goes when there are too many (SPEC 7). */
export const observed = (context: TaskContext, observation: Observation): Observation[] =>
  [...context.observations, { ...observation, result: cutText(observation.result, OBSERVATION_CHARS_MAX) }].slice(
    -OBSERVATIONS_KEPT,
  );

/** The task's cost with one call more. One without a price, or in another currency, makes the whole unknown for good. */
const withCost = ({ cost, is_cost_known }: TaskContext, usage: CallUsage): Partial<TaskContext> => {
  if (!is_cost_known || totalTokens(usage) === 0) return {};
  const sum = usage.cost === undefined || cost === null ? (usage.cost ?? null) : addCosts(cost, usage.cost);
  return { cost: sum, is_cost_known: sum !== null };
};

/** Adds a model call's tokens and cost to the task's. */
export const withUsage = (context: TaskContext, { usage }: { usage?: CallUsage | undefined }): Partial<TaskContext> =>
  usage === undefined ? {} : { usage: addUsage(context.usage, usage), ...withCost(context, usage) };

/** True once the task's calls have used the tokens that it may have (SPEC 4); never where it has no token budget. */
export const isTokenBudgetSpent = ({ usage, token_limit }: TaskContext): boolean =>
  token_limit !== null && totalTokens(usage) >= token_limit;

/** The token limit of a task that resumes: a spent one grows by the whole budget, counted from what is used (SPEC 4). */
export const nextTokenLimit = (context: TaskContext): number | null => {
  const { max_task_tokens } = context.limits;
  if (max_task_tokens === null || !isTokenBudgetSpent(context)) return context.token_limit;
  return totalTokens(context.usage) + max_task_tokens;
};
