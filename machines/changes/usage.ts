import { addCosts } from '../../contracts/cost.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { addUsage, type CallUsage, totalTokens } from '../../contracts/usage.ts';

/** The task's cost with one call more. One without a price, or in another currency, makes the whole unknown for good. */
const withCost = ({ cost, is_cost_known }: TaskContext, usage: CallUsage): Partial<TaskContext> => {
  if (!is_cost_known || totalTokens(usage) === 0) return {};
  const sum = usage.cost === undefined || cost === null ? (usage.cost ?? null) : addCosts(cost, usage.cost);
  return { cost: sum, is_cost_known: sum !== null };
};

/** Adds a model call's tokens and cost to the task's. */
export const withUsage = (context: TaskContext, { usage }: { usage?: CallUsage | undefined }): Partial<TaskContext> =>
  usage === undefined ? {} : { usage: addUsage(context.usage, usage), ...withCost(context, usage) };
