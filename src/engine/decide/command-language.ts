import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { languageOf } from '../../../machines/language.ts';
import type { SessionDraft } from './session-draft.ts';

/** The language that a command is answered in: Chinese for a Chinese input, else that of the session's last task, else the input's (SPEC 11). */
export const commandLanguage = (draft: SessionDraft, input: string): TaskContext['language'] => {
  const language = languageOf(input);
  const { recent } = draft.image;
  if (language === 'zh' || recent === null) return language;
  return draft.taskOf(recent.task_id)?.task.context.language ?? language;
};

/** What control commands are answered with. */
export const controlMessages = (draft: SessionDraft, input: string): Messages['controls'] =>
  messages(commandLanguage(draft, input)).controls;
