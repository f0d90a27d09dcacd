import type { TaskContext } from '../../contracts/task.ts';

/** One more effect is asked for, by its number in the task. */
export const effectOpened = (context: TaskContext): Partial<TaskContext> => ({
  effects_requested: context.effects_requested + 1,
  open_effect: context.effects_requested + 1,
});
