import { ABANDONED_ITEMS_KEPT, PAST_ITEMS_KEPT } from '../../contracts/limits.ts';
import type { PlanItem } from '../../contracts/plan.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { cutText } from '../cut-text.ts';

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
