import type { TaskView } from '../../../contracts/turn-view.ts';
import type { TurnReply } from '../change.ts';

/** The reply of a turn that no task answers. */
export const commandReply = (output: string, task: TaskView | null = null): TurnReply => ({
  status: 'ran',
  output,
  question: null,
  options: null,
  task,
});
