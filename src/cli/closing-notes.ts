import { languageOf } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { type ServiceOptions, sessionCommand } from './open-service.ts';

/** What is said once a turn is over, in its language: which task and session it was, what to type next, and what it cost. */
export const closingNotes = (turn: TurnView, options: ServiceOptions): string[] => {
  const { status, session_id, task_id, task, output } = turn;
  const texts = messages(languageOf(task?.goal ?? output ?? '')).terminal;
  const run = sessionCommand('run', session_id, options);
  const chat = sessionCommand('chat', session_id, options);
  return [
    task_id === null ? texts.session(session_id) : texts.taskOf(task_id, session_id),
    ...(status === 'asking' ? [texts.answerWith(run, chat)] : []),
    ...(status === 'paused' ? [texts.goOnWith(run, chat)] : []),
    ...(task?.cost === undefined ? [] : [texts.cost(task.cost.amount, task.cost.currency)]),
  ];
};
