import type { TaskOpened } from '../../../contracts/event.ts';
import { languageOf } from '../../../contracts/language.ts';
import type { NewTurn, SessionImage } from '../session-image.ts';
import type { TaskDefaults } from '../session-input.ts';

type TurnFields = 'turn_id' | 'input' | 'confirm_plan' | 'planning' | 'conversation';

/** The event that opens a task with a turn's input as its goal, and with the session's conversation (SPEC 2.7, 3). */
export const openedBy = (
  { turn_id, input, confirm_plan, planning, conversation }: Pick<NewTurn, TurnFields>,
  task_id: string,
  image: Pick<SessionImage, 'session' | 'conversation'>,
  defaults: TaskDefaults,
): TaskOpened => ({
  type: 'task.opened',
  task_id,
  session_id: image.session.session_id,
  turn_id,
  goal: input.trim(),
  language: languageOf(input),
  limits: defaults.limits,
  catalogue: defaults.catalogue(),
  confirm_plan: confirm_plan ?? defaults.confirmPlan,
  planning: planning ?? defaults.planning,
  verifies: defaults.verifies,
  conversation: conversation === false ? [] : [...image.conversation],
});
