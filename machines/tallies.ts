import type { PlanItem } from '../contracts/answer.ts';
import {
  ABANDONED_ITEMS_KEPT,
  OBSERVATION_CHARS_MAX,
  OBSERVATIONS_CHARS_MAX,
  OBSERVATIONS_KEPT,
  PAST_ITEMS_KEPT,
} from '../contracts/limits.ts';
import type { Observation, TaskContext } from '../contracts/task.ts';
import { cutText } from '../contracts/text.ts';
import { addAmounts, addCosts, addUsage, type CallUsage, isAtLeast, totalTokens } from '../contracts/usage.ts';

/** Characters kept of one failure's reason: enough to name it in a question and in a prompt. */
const FAILURE_CHARS_MAX = 300;

/** Failures whose reasons are kept: the question names these, older ones are in the trace. */
const FAILURES_KEPT = 10;

/** One more failure in a row (SPEC 6). */
export const withFailure = (context: TaskContext, reason: string): Partial<TaskContext> => ({
  failed_since_replan: true,
  consecutive_failures: context.consecutive_failures + 1,
  recent_failures: [...context.recent_failures, cutText(reason, FAILURE_CHARS_MAX)].slice(-FAILURES_KEPT),
});

/** The failures in a row are over: a tool succeeded, the item ended, the user answered or resumed (SPEC 6). */
export const withoutFailures: Partial<TaskContext> = { consecutive_failures: 0, recent_failures: [] };

const charsOf = ({ input, result }: Observation): number => input.length + result.length;

/** The newest observations whose texts have so many characters together at most. */
const withinCharacters = (all: Observation[], max: number): Observation[] => {
  let chars = 0;
  const tooOld = all.findLastIndex((observation) => {
    chars += charsOf(observation);
    return chars > max;
  });
  return all.slice(tooOld + 1);
};

/** The task's observations with one more, cut to its limit. Where they are too many or too long together the older half goes at once, so that prompts change seldom (SPEC 7). */
export const withObservation = (context: TaskContext, observation: Observation): Observation[] => {
  const added = { ...observation, result: cutText(observation.result, OBSERVATION_CHARS_MAX) };
  const all = [...context.observations, added];
  const few = all.length > OBSERVATIONS_KEPT ? all.slice(-OBSERVATIONS_KEPT / 2) : all;
  const chars = few.reduce((sum, each) => sum + charsOf(each), 0);
  return chars > OBSERVATIONS_CHARS_MAX ? withinCharacters(few, OBSERVATIONS_CHARS_MAX / 2) : few;
};

/** The observations with one more of the machine itself, about the whole task. */
export const withFinding = (
  context: TaskContext,
  source: Exclude<Observation['source'], 'tool'>,
  tool: string,
  result: string,
): Observation[] => withObservation(context, { item_id: null, source, tool, input: '', ok: false, result });

/** The task's cost with one call more. One without a price or a count, or in another currency, makes the whole unknown for good. */
const withCost = ({ cost, is_cost_known }: TaskContext, usage: CallUsage): Partial<TaskContext> => {
  if (usage.is_unknown) return { cost: null, is_cost_known: false };
  if (!is_cost_known || totalTokens(usage) === 0) return {};
  const sum = usage.cost === undefined || cost === null ? (usage.cost ?? null) : addCosts(cost, usage.cost);
  return { cost: sum, is_cost_known: sum !== null };
};

/** Adds a model call's tokens and cost to the task's. */
export const withUsage = (context: TaskContext, { usage }: { usage?: CallUsage | undefined }): Partial<TaskContext> =>
  usage === undefined
    ? {}
    : {
        usage: addUsage(context.usage, usage),
        ...(usage.is_unknown && { is_usage_known: false }),
        ...withCost(context, usage),
      };

/** True once the task's calls have used the tokens that it may have, or one of them was not counted (SPEC 4); never where it has no token budget. */
export const isTokenBudgetSpent = ({ usage, is_usage_known, token_limit }: TaskContext): boolean =>
  token_limit !== null && (!is_usage_known || totalTokens(usage) >= token_limit);

/** True once the task's calls have cost what it may cost, or one of them had no price (SPEC 4); never where it has no budget of money. */
export const isCostBudgetSpent = ({ cost, is_cost_known, cost_limit }: TaskContext): boolean =>
  cost_limit !== null && (!is_cost_known || (cost !== null && isAtLeast(cost.amount, cost_limit)));

/** The cost limit of a task that resumes: a spent one grows by the whole budget; where the cost is not known it goes on without one. */
export const nextCostLimit = (context: TaskContext): string | null => {
  const { cost, cost_limit, limits } = context;
  if (!isCostBudgetSpent(context) || limits.max_task_cost === undefined) return cost_limit;
  return cost === null ? null : addAmounts(cost.amount, limits.max_task_cost);
};

/** The token limit of a task that resumes: a spent one grows by the whole budget, counted from what is used (SPEC 4); where that is not known it goes on without one. */
export const nextTokenLimit = (context: TaskContext): number | null => {
  const { max_task_tokens } = context.limits;
  if (max_task_tokens === null || !isTokenBudgetSpent(context)) return context.token_limit;
  return context.is_usage_known ? totalTokens(context.usage) + max_task_tokens : null;
};

/** Characters of the results of items that ended which are kept whole, the newest first: views and snapshots have all of them. */
const RESULTS_CHARS_MAX = 128 * 1024;

/** Longest beginning of any other's result, in characters: as much as prompts show of it. */
const RESULT_CHARS_KEPT = 2_000;

/** The items with their results as long as they may be together: those of the oldest are cut. */
const withinChars = (past: PlanItem[]): PlanItem[] => {
  let left = RESULTS_CHARS_MAX;
  if (past.reduce((sum, { result }) => sum + (result?.length ?? 0), 0) <= left) return past;
  return past
    .toReversed()
    .map((item) => {
      left -= item.result?.length ?? 0;
      return left >= 0 || item.result === null ? item : { ...item, result: cutText(item.result, RESULT_CHARS_KEPT) };
    })
    .reverse();
};

/** The plan and the items that ended, with some more of these (SPEC 3). An item that is forgotten is removed from the dependencies of the plan's items. */
export const withPast = (
  plan_items: PlanItem[],
  past: PlanItem[],
  ended: PlanItem[],
): Pick<TaskContext, 'plan_items' | 'past_items'> => {
  const again = new Set(ended.map(({ id }) => id));
  const all = [...past.filter(({ id, status }) => status === 'completed' || !again.has(id)), ...ended];
  const past_items = withinChars(all.slice(-PAST_ITEMS_KEPT));
  if (past_items.length === all.length) return { plan_items, past_items };
  const known = new Set([...plan_items, ...past_items].map(({ id }) => id));
  const forgotten = new Set(
    all.filter(({ id, status }) => status === 'completed' && !known.has(id)).map(({ id }) => id),
  );
  return {
    past_items,
    plan_items: plan_items.map((item) => ({
      ...item,
      depends_on: item.depends_on.filter((id) => !forgotten.has(id)),
    })),
  };
};

/** The given-up items with some more of these; the oldest are forgotten, but never one that the plan still depends on. */
export const withAbandoned = (context: TaskContext, plan_items: PlanItem[], ids: string[]): string[] => {
  const all = [...new Set([...context.abandoned_items, ...ids])];
  if (all.length <= ABANDONED_ITEMS_KEPT) return all;
  const needed = new Set(plan_items.flatMap((item) => item.depends_on));
  return all.filter((id, i) => i >= all.length - ABANDONED_ITEMS_KEPT || needed.has(id));
};
