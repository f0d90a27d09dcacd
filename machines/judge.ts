import type { EventOf, TaskEvent } from '../contracts/event.ts';
import type { PlanItemAnswer } from '../contracts/plan.ts';
import type { TaskContext, TaskSnapshot, TaskState } from '../contracts/task.ts';
import { allowedStatuses, allowedTools } from './current-item.ts';
import { isSameQuestion } from './phrases.ts';
import { planItems, skipRepeated } from './plan-items.ts';

/** Why a thought that kept its contract still may not be taken now; null when it may (SPEC 5, 6). */
export const thoughtObjection = (
  context: TaskContext,
  thought: Pick<EventOf<'thought.made'>, 'status' | 'next_action' | 'question'>,
): string | null => {
  const may = allowedStatuses(context);
  if (!may.includes(thought.status)) return `status: "${thought.status}" is not allowed now, only ${may.join(' or ')}`;
  const tools = allowedTools(context);
  if (thought.next_action !== null && !tools.includes(thought.next_action.tool))
    return `next_action.tool: "${thought.next_action.tool}" is not allowed here, only ${tools.join(', ') || 'no tool'}`;
  const last = context.clarification_history.at(-1)?.question ?? null;
  if (thought.question !== null && last !== null && isSameQuestion(thought.question, last))
    return 'question: the user has just answered this very question';
  return null;
};

/** Why a plan that kept its contract can't be taken; null when it can (SPEC 5). */
export const planObjection = (context: TaskContext, plan: PlanItemAnswer[]): string | null => {
  const planned = planItems(plan, context);
  return planned.ok ? null : planned.reason;
};

/** Why a replan that kept its contract can't be taken; null when it can (SPEC 3, 5). */
export const replanObjection = (
  context: TaskContext,
  replan: Pick<EventOf<'replan.made'>, 'status' | 'plan'>,
): string | null => {
  if (replan.status === 'done') return null;
  const planned = planItems(replan.plan, context);
  if (!planned.ok) return planned.reason;
  const isOld = skipRepeated(planned.items, context.completed_items).index === planned.items.length;
  return isOld ? 'plan: every item of it is completed already' : null;
};

const ENDED: readonly TaskState[] = ['done', 'failed', 'cancelled'];

/** True for a task that has ended for good. */
export const isEnded = (state: TaskState): boolean => ENDED.includes(state);

/** True for a task that asks nothing of the world now: it waits, is paused, or has ended. */
export const isAtRest = (state: TaskState): boolean =>
  state === 'awaiting_user' || state === 'paused' || isEnded(state);

/** Why an event does not fit a task as it stands; null when it does. What the machine has no transition for is found by it. */
export const objectionTo = ({ state, context }: TaskSnapshot, event: TaskEvent): string | null => {
  if (event.type === 'result.superseded') return null;
  if ('effect_id' in event && event.effect_id !== context.open_effect_id)
    return `effect ${event.effect_id} is not the open one (${context.open_effect_id ?? 'none'})`;
  switch (event.type) {
    case 'plan.made':
      return planObjection(context, event.plan);
    case 'thought.made':
      return state === 'thinking' ? thoughtObjection(context, event) : null;
    case 'replan.made':
      return replanObjection(context, event);
    case 'observation.recorded': {
      const action = context.last_thought_snapshot?.next_action;
      const isOurs = action?.tool === event.tool && action.input === event.input;
      return state !== 'acting' || isOurs ? null : `the open action is ${action?.tool} -> ${action?.input}`;
    }
    case 'plan.edited':
      return event.edits.every((edit) => edit.kind === 'add' || fits(edit, context)) ? null : 'no such plan item';
    default:
      return null;
  }
};

const fits = (edit: { index: number } | { from: number; to: number }, context: TaskContext): boolean =>
  ('index' in edit ? [edit.index] : [edit.from, edit.to]).every((index) => index < context.plan_items.length);
