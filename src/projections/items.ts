import type { PlanItem, PlanItemStatus } from '../../contracts/answer.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { currentItem, isOpen, nextItemIndex } from '../../machines/plan-items.ts';

const MARKS: Record<PlanItemStatus, string> = {
  not_started: '[ ]',
  in_progress: '[→]',
  completed: '[✓]',
  blocked: '[!]',
  dropped: '[!]',
};

/** A plan item's mark for people (SPEC 10, planning flow). */
export const planMark = (status: PlanItemStatus): string => MARKS[status];

/** Ended items that are no longer in the current plan (SPEC 3). A blocked item that is in it again is being retried. */
export const earlierItems = ({ past_items, plan_items }: TaskContext): PlanItem[] => {
  const inPlan = new Map(plan_items.map(({ id, status }) => [id, status]));
  return past_items.filter(
    ({ id, status }) => !inPlan.has(id) || (status === 'completed' && inPlan.get(id) !== status),
  );
};

/**
 * All items that replies list: those that ended in earlier plans, then the current plan without duplicates of them
 * (SPEC 3).
 */
export const allItems = (context: TaskContext): PlanItem[] => {
  const { past_items, plan_items } = context;
  const completed = new Set(past_items.filter(({ status }) => status === 'completed').map(({ id }) => id));
  const own = plan_items.filter(({ id, status }) => status !== 'completed' || completed.has(id));
  return [...earlierItems(context), ...own];
};

/** The numbers of completed, ended and all items. They count across replans. */
export const itemCounts = (context: TaskContext): { done: number; ended: number; total: number } => {
  const items = allItems(context);
  const done = items.filter(({ status }) => status === 'completed').length;
  const blocked = items.filter(({ status }) => status === 'blocked').length;
  return { done, ended: done + blocked, total: items.length };
};

/** The item in progress, else the one that would be picked next, else the first open one; null: none is left. */
export const nextItem = (context: TaskContext): PlanItem | null => {
  const current = currentItem(context);
  if (current?.status === 'in_progress') return current;
  return context.plan_items[nextItemIndex(context)] ?? context.plan_items.find(isOpen) ?? null;
};
