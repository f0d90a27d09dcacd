import { languageOf } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TaskView } from '../../contracts/turn-view.ts';

/** What a task that waits is waiting for: its question, or why it is paused, in the language of its goal. */
export const waitsFor = ({ goal, pause_reason }: TaskView, question: string | null): string =>
  question ?? (pause_reason === null ? goal : messages(languageOf(goal)).progress.pause[pause_reason]);
