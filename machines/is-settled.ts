import type { TaskState } from '../contracts/task.ts';

const ENDED: readonly TaskState[] = ['done', 'failed', 'cancelled'];

/** True for a task that has ended for good. */
export const isEnded = (state: TaskState): boolean => ENDED.includes(state);

/** True for a task that has no effect open: it waits for the user, is paused, or has ended. */
export const isSettled = (state: TaskState): boolean =>
  state === 'awaiting_user' || state === 'paused' || isEnded(state);
