import type { TaskContext } from '../../contracts/task.ts';

/** One more effect is asked for; its id is the task's id and its number in the task. */
export const effectOpened = (context: TaskContext): Partial<TaskContext> => ({
  effects_requested: context.effects_requested + 1,
  open_effect_id: `${context.task_id}.${context.effects_requested + 1}`,
});
