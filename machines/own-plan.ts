import type { PlanItemAnswer } from '../contracts/answer.ts';
import type { TaskOpened } from '../contracts/event.ts';
import { initialContext } from './context.ts';
import { toolsRejection, withToolNames } from './item-tools.ts';
import { planItems } from './plan-items.ts';

/** The event with a plan of the user's own: its tools under the names that the task has for them, and room for each item. */
export const withOwnPlan = (opened: TaskOpened, plan: PlanItemAnswer[]): TaskOpened => {
  const { limits, catalogue } = opened;
  const max_plan_items = Math.max(limits.max_plan_items, plan.length);
  return { ...opened, limits: { ...limits, max_plan_items }, plan: withToolNames(plan, catalogue) };
};

/** Why the plan that a task would open with can't be taken, in English; null where it can, or where there is none. */
export const ownPlanRejection = ({ plan, ...opened }: TaskOpened): string | null => {
  if (plan === undefined) return null;
  const context = initialContext({ ...opened, language: 'en' });
  const planned = planItems(plan, context);
  return planned.ok ? toolsRejection(planned.items, context) : planned.reason;
};
