import { COMPLETED_ITEMS_KEPT } from '../../contracts/limits.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';

/** Ids of given-up items kept, so that a dependency on one is known: far more than `max_replans` plans can give up. */
const ABANDONED_KEPT = 1_000;

/**
 * The plan and the completed items with some more of these. Whatever had to be forgotten was completed, so nothing in the
 * plan goes on waiting for it.
 */
export const withCompleted = (
  plan_items: PlanItem[],
  completed: PlanItem[],
): Pick<TaskContext, 'plan_items' | 'completed_items'> => {
  const completed_items = completed.slice(-COMPLETED_ITEMS_KEPT);
  if (completed_items.length === completed.length) return { plan_items, completed_items };
  const known = new Set([...plan_items, ...completed_items].map((item) => item.id));
  const forgotten = new Set(completed.map((item) => item.id).filter((id) => !known.has(id)));
  return {
    completed_items,
    plan_items: plan_items.map((item) => ({
      ...item,
      depends_on: item.depends_on.filter((id) => !forgotten.has(id)),
    })),
  };
};

/** The given-up items with some more of these; the oldest are forgotten, but never one that the plan still depends on. */
export const withAbandoned = (context: TaskContext, plan_items: PlanItem[], ids: string[]): string[] => {
  const all = [...new Set([...context.abandoned_items, ...ids])];
  if (all.length <= ABANDONED_KEPT) return all;
  const needed = new Set(plan_items.flatMap((item) => item.depends_on));
  return all.filter((id, i) => i >= all.length - ABANDONED_KEPT || needed.has(id));
};
