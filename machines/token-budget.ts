import type { TaskContext } from '../contracts/task.ts';
import { totalTokens } from '../contracts/usage.ts';

/** True once the task's calls have used the tokens that it may have (SPEC 4); never where it has no token budget. */
export const isTokenBudgetSpent = ({ usage, token_limit }: TaskContext): boolean =>
  token_limit !== null && totalTokens(usage) >= token_limit;

/** The token limit of a task that resumes: a spent one grows by the whole budget, counted from what is used (SPEC 4). */
export const nextTokenLimit = (context: TaskContext): number | null => {
  const { max_task_tokens } = context.limits;
  if (max_task_tokens === null || !isTokenBudgetSpent(context)) return context.token_limit;
  return totalTokens(context.usage) + max_task_tokens;
};
