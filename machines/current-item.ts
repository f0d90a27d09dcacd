import type { PlanItem } from '../contracts/plan.ts';
import type { TaskContext } from '../contracts/task.ts';
import type { ThoughtStatus } from '../contracts/thought.ts';

/** The plan item being worked on; null for an empty plan and past the plan's end. */
export const currentItem = (context: TaskContext): PlanItem | null =>
  context.plan_items[context.current_plan_index] ?? null;

/** True for an item that is still to be done or being done. */
export const isOpen = (item: PlanItem): boolean => item.status === 'not_started' || item.status === 'in_progress';

/** True while some item of the plan is neither completed nor given up. */
export const hasOpenItems = (context: TaskContext): boolean => context.plan_items.some(isOpen);

/** The items completed so far, in this plan and in earlier ones, oldest first. */
export const completedItems = (context: TaskContext): PlanItem[] =>
  context.past_items.filter(({ status }) => status === 'completed');

/**
 * The index of the item to work on next (SPEC 3): the first in plan order whose dependencies are all completed; -1 when
 * there is none. An earlier item that was blocked or dropped never satisfies a dependency.
 */
export const nextItemIndex = (context: TaskContext): number => {
  const completed = new Set(completedItems(context).map(({ id }) => id));
  const inPlan = new Map(context.plan_items.map((item) => [item.id, item]));
  const isMet = (id: string): boolean => {
    const item = inPlan.get(id);
    return item === undefined ? completed.has(id) : item.status === 'completed';
  };
  return context.plan_items.findIndex((item) => isOpen(item) && item.depends_on.every(isMet));
};

/** The names of the tools that the current item allows: its own that its executor has too, else all that its executor has (SPEC 5). */
export const allowedTools = (context: TaskContext): string[] => {
  const item = currentItem(context);
  if (item === null) return [];
  const all = context.catalogue.tools.map((tool) => tool.name);
  const executor = context.catalogue.executors.find(({ name }) => name === item.executor);
  // Sets, because a catalogue and an executor's list may both be long.
  const limits = [executor?.tools, item.tools].filter((tools) => tools != null).map((tools) => new Set(tools));
  return all.filter((tool) => limits.every((tools) => tools.has(tool)));
};

/** True once failures in a row have used up the thought's freedom to act (SPEC 6). */
export const isNarrowedByFailures = (context: TaskContext): boolean =>
  context.consecutive_failures >= context.limits.failure_limit;

/** What the next thought may say: narrowed by an empty plan, failures, rounds and questions asked (SPEC 3, 6). */
export const allowedStatuses = (context: TaskContext): ThoughtStatus[] => {
  const isNarrowed =
    currentItem(context) === null ||
    isNarrowedByFailures(context) ||
    context.rounds > context.limits.max_rounds_per_item ||
    allowedTools(context).length === 0;
  const may: ThoughtStatus[] = isNarrowed ? [] : ['continue'];
  if (context.questions_asked < context.limits.max_questions) may.push('ask_user');
  may.push('done');
  return may;
};
