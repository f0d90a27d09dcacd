import type { TaskContext, TaskSnapshot } from '../contracts/task.ts';
import { needsApproval, pendingAction } from './approval.ts';
import { currentItem } from './current-item.ts';
import { isSettled } from './is-settled.ts';

const areIdsUnique = ({ plan_items }: TaskContext): boolean =>
  new Set(plan_items.map((item) => item.id)).size === plan_items.length;

const doDependenciesExist = ({ plan_items, past_items, abandoned_items }: TaskContext): boolean => {
  const known = new Set([...[...plan_items, ...past_items].map(({ id }) => id), ...abandoned_items]);
  return plan_items.every(({ depends_on }) => depends_on.every((id) => known.has(id)));
};

/** A question about an action names one of the current item that may not run without a person's yes. */
const isApprovalSound = (context: TaskContext): boolean => {
  if (context.awaiting !== 'approval') return true;
  const action = pendingAction(context);
  return action !== null && needsApproval(context, action.tool) && currentItem(context) !== null;
};

/** The laws of SPEC 3 that hold after every event; the name of the first broken one, or null. */
export const brokenInvariant = ({ state, context }: TaskSnapshot): string | null => {
  if (context.current_plan_index < 0 || context.current_plan_index > context.plan_items.length)
    return 'current_plan_index is inside the plan';
  if (context.awaiting_clarification !== (state === 'awaiting_user'))
    return 'awaiting_clarification holds exactly in awaiting_user';
  if (isSettled(state) !== (context.open_effect === null)) return 'an effect is open exactly outside settled states';
  if (context.step_count > context.step_limit + 1) return 'step_count is at most one above step_limit';
  if (state === 'replanning' && !context.needs_replan) return 'replan is requested only while needs_replan';
  if ((state === 'paused') !== (context.pause_reason !== null)) return 'pause_reason is set exactly in paused';
  if ((context.awaiting !== null) !== context.awaiting_clarification) return 'awaiting is set exactly in awaiting_user';
  if (!isApprovalSound(context)) return 'approval is asked only for an action that needs it';
  if (!areIdsUnique(context)) return 'item ids are unique';
  if (!doDependenciesExist(context)) return 'dependencies exist';
  return null;
};

/** True for an event that uses budget; `step_count` is the number of these in a task's trace, and nothing else (SPEC 4). */
export const countsAsStep = (event: { type: string }): boolean =>
  event.type === 'thought.made' ||
  event.type === 'thought.rejected' ||
  event.type === 'replan.made' ||
  event.type === 'replan.rejected' ||
  event.type === 'observation.recorded';
