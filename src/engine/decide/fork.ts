import type { TaskEvent } from '../../../contracts/event.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { type Conversation, isSettled } from '../../../contracts/task.ts';
import { conversationOf } from '../../../machines/context.ts';
import { isContinuePhrase } from '../../../machines/phrases.ts';
import type { Task } from '../../../machines/step.ts';
import { ServiceError } from '../../lib/errors.ts';
import { approvalAnswer } from '../../projections/question.ts';
import { replyOf } from '../../projections/reply.ts';
import type { Decision } from '../change.ts';
import type { Fork } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

/** The user's words in an event, for the conversation; null for an event that is no turn of theirs. */
const saidBy = (event: TaskEvent, { language }: TaskContext): string | null => {
  switch (event.type) {
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

/** Takes the folded history into the new session, and gives the conversation before the fork. The last event may answer the turn. */
const takeHistory = (draft: SessionDraft, { opened: first, rest, turn, hasInput }: Fork): Conversation => {
  const { event: opened, made } = first;
  const turns: Conversation = [...opened.conversation];
  let said = [opened.goal];
  const answerBefore = (task: Task): void => {
    if (!isSettled(task.state)) return;
    const { output } = replyOf(task);
    turns.push(...said.map((text) => ({ said: text, answered: output })));
    said = [];
  };
  let task = draft.openTask(opened, made);
  for (const [i, { event, made: next }] of rest.entries()) {
    answerBefore(task);
    draft.reactivate(opened.task_id);
    if (i === rest.length - 1 && !hasInput) draft.addTurn(turn, 'running');
    const text = saidBy(event, task.context);
    if (text !== null) said.push(text);
    task = draft.apply(event, next);
  }
  if (hasInput) answerBefore(task);
  else if (rest.length === 0) draft.addTurn(turn, 'running');
  return conversationOf(turns);
};

/** The user's input where the fork starts: an answer, a continue, or a steer (SPEC 2, 6). */
const takeInput = (draft: SessionDraft, { turn, opened }: Fork): void => {
  const { turn_id, input: text } = turn;
  const isPaused = draft.image.active === null;
  draft.reactivate(opened.event.task_id);
  draft.addTurn(turn, 'running');
  if (draft.image.active?.task.state === 'awaiting_user') {
    draft.apply({ type: 'answer.received', turn_id, text });
    return;
  }
  if (isPaused) draft.apply({ type: 'task.resumed', turn_id });
  if (isPaused && (isContinuePhrase(text) || draft.image.active === null)) return;
  draft.apply({ type: 'steer.received', turn_id, text });
};

/** The decision with the last snapshot and the last state of its task alone: the others were of the history that is copied. */
export const withLastState = (decision: Decision): Decision => {
  const lastSnapshot = decision.changes.findLast(({ type }) => type === 'snapshot.saved');
  const lastMoved = decision.changes.findLast(({ type }) => type === 'task.moved');
  const changes = decision.changes.filter(
    (change) =>
      (change.type !== 'snapshot.saved' || change === lastSnapshot) &&
      (change.type !== 'task.moved' || change === lastMoved),
  );
  return { ...decision, changes };
};

/** Creates a session that continues a task's history for real; its first entry names the origin. Throws `SESSION_EXISTS`. */
export const fork = (draft: SessionDraft, input: Fork): void => {
  const { isStored, session } = draft.image;
  if (isStored)
    throw new ServiceError(
      'SESSION_EXISTS',
      `There is a session "${session.session_id}" already, and a fork creates a new one; name another, or none`,
    );
  draft.addSessionEvent(input.forked);
  draft.startConversation(input.forked, takeHistory(draft, input));
  if (input.hasInput) takeInput(draft, input);
};
