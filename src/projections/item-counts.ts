import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { currentItem, nextItemIndex } from '../../machines/current-item.ts';

/** True for an item that is still to be done or being done. */
export const isOpen = ({ status }: PlanItem): boolean => status === 'not_started' || status === 'in_progress';

/** The items of the current plan that are not completed: open, blocked or dropped, in plan order. */
export const uncompletedItems = (context: TaskContext): PlanItem[] =>
  context.plan_items.filter((item) => item.status !== 'completed');

/**
 * The items that ended, completed or blocked, and are not in the current plan any more (SPEC 3). One that was blocked and is in
 * the plan again is being tried again, so it has not ended.
 */
export const earlierItems = ({ past_items, plan_items }: TaskContext): PlanItem[] => {
  const inPlan = new Map(plan_items.map(({ id, status }) => [id, status]));
  return past_items.filter(
    ({ id, status }) => !inPlan.has(id) || (status === 'completed' && inPlan.get(id) !== status),
  );
};

/** The current plan without the leading items that only repeat completed ones. */
const ownItems = ({ past_items, plan_items }: TaskContext): PlanItem[] => {
  const completed = new Set(past_items.filter(({ status }) => status === 'completed').map(({ id }) => id));
  return plan_items.filter(({ id, status }) => status !== 'completed' || completed.has(id));
};

/** All items that replies list: those that ended in earlier plans, then the current plan (SPEC 3). */
export const allItems = (context: TaskContext): PlanItem[] => [...earlierItems(context), ...ownItems(context)];

/** The position of the item of `current_plan_index` among all items; their number when the plan is at its end. */
export const currentIndexOfAll = (context: TaskContext): number => {
  const items = allItems(context);
  const current = currentItem(context);
  return current === null ? items.length : items.indexOf(current);
};

/** How many items are completed, how many have ended, and out of how many; they count across replans. */
export const itemCounts = (context: TaskContext): { done: number; ended: number; total: number } => {
  const items = allItems(context);
  const done = items.filter(({ status }) => status === 'completed').length;
  const blocked = items.filter(({ status }) => status === 'blocked').length;
  return { done, ended: done + blocked, total: items.length };
};

/** The item being worked on, else the one that would be picked next, else the first that is open; null when none is left. */
export const nextItem = (context: TaskContext): PlanItem | null => {
  const current = currentItem(context);
  if (current?.status === 'in_progress') return current;
  return context.plan_items[nextItemIndex(context)] ?? context.plan_items.find(isOpen) ?? null;
};
