import type { Conversation } from '../../../contracts/conversation.ts';
import type { TaskEvent } from '../../../contracts/event.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { isContinuePhrase } from '../../../machines/continue-phrase.ts';
import { conversationOf } from '../../../machines/conversation.ts';
import { isSettled } from '../../../machines/is-settled.ts';
import { EventNotAccepted, type Task } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { ServiceError } from '../../errors.ts';
import { approvalAnswer } from '../../projections/approval-answer.ts';
import { replyOf } from '../../projections/reply.ts';
import type { Change, Decision } from '../change.ts';
import { isFoldedAlike } from '../fork-history.ts';
import type { Fork } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

/** What the user said by an event, for the conversation; null for what is no turn of theirs. */
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

/**
 * Folds the history into the new session, and gives the conversation before the fork. The turn is bound before the last event, so that a
 * settled task answers it; that answer is the fork's own.
 */
const foldHistory = (draft: SessionDraft, { opened, rest, forked, turn, hasInput }: Fork): Conversation => {
  const turns: Conversation = [...opened.conversation];
  let said = [opened.goal];
  const answerBefore = (task: Task): void => {
    if (!isSettled(task.state)) return;
    const { output } = replyOf(task);
    turns.push(...said.map((text) => ({ said: text, answered: output })));
    said = [];
  };
  let task = draft.openTask(opened);
  for (const [i, { event, entry }] of rest.entries()) {
    answerBefore(task);
    draft.reactivate(opened.task_id);
    if (i === rest.length - 1 && !hasInput) draft.addTurn(turn, 'running');
    const text = saidBy(event, task.context);
    if (text !== null) said.push(text);
    task = draft.apply(event);
    if (entry.machine !== MACHINE && !isFoldedAlike(entry, forked.from_task_id, task, draft.image.open))
      throw new EventNotAccepted(`entry ${entry.seq} leads elsewhere now`);
  }
  if (hasInput) answerBefore(task);
  else if (rest.length === 0) draft.addTurn(turn, 'running');
  return conversationOf(turns);
};

/** The user's input where the fork starts: an answer, a continue, or a steer (SPEC 2, 6). */
const takeInput = (draft: SessionDraft, { turn, opened }: Fork): void => {
  const { turn_id, input: text } = turn;
  const isPaused = draft.image.active === null;
  draft.reactivate(opened.task_id);
  draft.addTurn(turn, 'running');
  if (draft.image.active?.task.state === 'awaiting_user') {
    draft.apply({ type: 'answer.received', turn_id, text });
    return;
  }
  if (isPaused) draft.apply({ type: 'task.resumed', turn_id });
  if (isPaused && (isContinuePhrase(text) || draft.image.active === null)) return;
  draft.apply({ type: 'steer.received', turn_id, text });
};

/**
 * The decision with what its first entries are copies of: they are the history's, one each and in its order. Of the snapshots that were taken
 * on the way the last one is left.
 */
export const withCopies = (decision: Decision, { opened, first_seq, rest, forked }: Fork): Decision => {
  const seqs = [first_seq, ...rest.map(({ entry }) => entry.seq)].values();
  const lastSnapshot = decision.changes.findLast(({ type }) => type === 'snapshot.saved');
  const changes = decision.changes.flatMap((change): Change[] => {
    if (change.type === 'snapshot.saved') return change === lastSnapshot ? [{ ...change, is_copied: true }] : [];
    if (change.type !== 'entry.added' || change.task_id !== opened.task_id) return [change];
    const { value: seq } = seqs.next();
    return [seq === undefined ? change : { ...change, copy_of: { task_id: forked.from_task_id, seq } }];
  });
  return { ...decision, changes };
};

/**
 * Creates a session from a task's history: its first entry names the origin, and the task continues from there for real. Throws
 * `SESSION_EXISTS`, and `EVENT_NOT_ACCEPTED` where this machine folds the history differently.
 */
export const fork = (draft: SessionDraft, input: Fork): void => {
  const { isStored, session } = draft.image;
  if (isStored)
    throw new ServiceError(
      'SESSION_EXISTS',
      `There is a session "${session.session_id}" already, and a fork creates a new one; name another, or none`,
    );
  draft.countCopied(input.copied_bytes);
  draft.addSessionEvent(input.forked);
  try {
    draft.startConversation(input.forked, foldHistory(draft, input));
  } catch (error) {
    if (!(error instanceof EventNotAccepted)) throw error;
    throw new ServiceError(
      'EVENT_NOT_ACCEPTED',
      `This history was made by another version of the machine, and this one (${MACHINE}) can not go on with it: ${error.message}`,
      { cause: error },
    );
  }
  if (input.hasInput) takeInput(draft, input);
};
