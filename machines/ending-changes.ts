import type { TaskContext } from '../contracts/task.ts';
import { assigned } from './context.ts';
import { isOpen } from './plan-items.ts';

/** Nothing of a task that has ended is open, and nothing pauses it. */
const closed: Partial<TaskContext> = { open_effect: null, pause_reason: null, pause_detail: null, expired: null };

/** The task has ended without an answer. */
export const endedAs = (outcome: TaskContext['outcome']): Partial<TaskContext> => ({ ...closed, outcome });

export const endingActions = {
  /** The task has ended with its answer; items left over are dropped. */
  finish: assigned(({ plan_items }) => ({
    ...closed,
    plan_items: plan_items.map((item) => (isOpen(item) ? { ...item, status: 'dropped' } : item)),
    needs_replan: false,
  })),
};
