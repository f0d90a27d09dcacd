import { languageOf } from '../../../contracts/language.ts';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { SessionDraft } from './session-draft.ts';

/** The language that a command is answered in: that of the session's last task, else the input's (SPEC 11). */
export const commandLanguage = (draft: SessionDraft, input: string): TaskContext['language'] => {
  const { recent } = draft.image;
  const task = recent === null ? null : draft.taskOf(recent.task_id);
  return task?.task.context.language ?? languageOf(input);
};

/** What control commands are answered with. */
export const controlMessages = (draft: SessionDraft, input: string): Messages['controls'] =>
  messages(commandLanguage(draft, input)).controls;
