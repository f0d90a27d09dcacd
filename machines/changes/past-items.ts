import { ABANDONED_ITEMS_KEPT, PAST_ITEMS_KEPT } from '../../contracts/limits.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';

/**
 * The plan and the items that ended, with some more of these (SPEC 3). One that was blocked before and has ended again stands there
 * once. Whatever has to be forgotten was completed, or is known as given up, so nothing in the plan keeps waiting for it.
 */
export const withPast = (
  plan_items: PlanItem[],
  past: PlanItem[],
  ended: PlanItem[],
): Pick<TaskContext, 'plan_items' | 'past_items'> => {
  const again = new Set(ended.map(({ id }) => id));
  const all = [...past.filter(({ id, status }) => status === 'completed' || !again.has(id)), ...ended];
  const past_items = all.slice(-PAST_ITEMS_KEPT);
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
