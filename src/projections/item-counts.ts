import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { currentItem, nextItemIndex } from '../../machines/current-item.ts';

/** True for an item that is still to be done or being done. */
export const isOpen = ({ status }: PlanItem): boolean => status === 'not_started' || status === 'in_progress';

/** The items of the current plan that are not completed: open, blocked or dropped, in plan order. */
export const uncompletedItems = (context: TaskContext): PlanItem[] =>
  context.plan_items.filter((item) => item.status !== 'completed');

/** All items that people are told of: those completed in any of the task's plans, then what else the current plan holds. */
export const allItems = (context: TaskContext): PlanItem[] => [
  ...context.completed_items,
  ...uncompletedItems(context),
];

/** How many items are done, and out of how many: completed ones count across replans, so the numbers only grow with the work. */
export const itemCounts = (context: TaskContext): { done: number; total: number } => ({
  done: context.completed_items.length,
  total: allItems(context).length,
});

/** The item being worked on, else the one that would be picked next, else the first that is open; null when none is left. */
export const nextItem = (context: TaskContext): PlanItem | null => {
  const current = currentItem(context);
  if (current?.status === 'in_progress') return current;
  return context.plan_items[nextItemIndex(context)] ?? context.plan_items.find(isOpen) ?? null;
};
