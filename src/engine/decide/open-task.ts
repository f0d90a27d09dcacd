import type { TaskOpened } from '../../../contracts/event.ts';
import { languageOf } from '../../../machines/language.ts';
import type { OpenTurn, SessionRecord } from '../session-image.ts';
import type { TaskDefaults } from '../session-input.ts';

/** The event that opens a task with a turn's input as its goal (SPEC 2.7). */
export const openedBy = (
  { turn_id, input, confirm_plan }: Pick<OpenTurn, 'turn_id' | 'input'> & { confirm_plan?: boolean | undefined },
  task_id: string,
  { session_id }: SessionRecord,
  { limits, catalogue, confirmPlan, planning, verifies }: TaskDefaults,
): TaskOpened => ({
  type: 'task.opened',
  task_id,
  session_id,
  turn_id,
  goal: input.trim(),
  language: languageOf(input),
  limits,
  catalogue: catalogue(),
  confirm_plan: confirm_plan ?? confirmPlan,
  planning,
  verifies,
  conversation: [],
});
