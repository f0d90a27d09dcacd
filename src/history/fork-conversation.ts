import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { type Conversation, type ConversationTurn, isSettled, type TaskContext } from '../../contracts/task.ts';
import { conversationOf } from '../../machines/context.ts';
import { approvalAnswer } from '../projections/question.ts';
import { replyOf } from '../projections/reply.ts';
import type { CopiedEvent } from './fork.ts';

/** The user's words in an event, for the conversation; null for an event that is not a user's turn. */
const saidBy = (event: TaskEvent | TaskOpened, { language }: TaskContext): string | null => {
  switch (event.type) {
    case 'task.opened':
      return event.goal;
    case 'answer.received':
    case 'steer.received':
      return event.text;
    case 'decision.received':
      return approvalAnswer(event.decision, language);
    case 'task.resumed':
      return 'continue';
    default:
      return null;
  }
};

/**
 * The conversation of a folded history. It includes the reply to the last event only if the fork takes an input after
 * that.
 */
export const forkConversation = (history: readonly CopiedEvent[], hasInput: boolean): Conversation => {
  const turns: Conversation = [];
  let said: Pick<ConversationTurn, 'said' | 'files'>[] = [];
  for (const [i, { event, made }] of history.entries()) {
    if (event.type === 'task.opened') turns.push(...event.conversation);
    const text = saidBy(event, made.task.context);
    const files = 'files' in event ? event.files : undefined;
    if (text !== null) said.push({ said: text, ...(files !== undefined && { files }) });
    if (!isSettled(made.task.state) || (i === history.length - 1 && !hasInput)) continue;
    const { output } = replyOf(made.task);
    turns.push(...said.map((turn) => ({ ...turn, answered: output })));
    said = [];
  }
  return conversationOf(turns);
};
