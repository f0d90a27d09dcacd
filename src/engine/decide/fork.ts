import { isContinuePhrase } from '../../../machines/continue-phrase.ts';
import { EventNotAccepted } from '../../../machines/step.ts';
import { MACHINE } from '../../../machines/task-machine.ts';
import { ServiceError } from '../../errors.ts';
import { isFoldedAlike } from '../fork-history.ts';
import type { Fork } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

/** Folds the history into the new session. The turn is bound before the last event, so that a settled task answers it. */
const foldHistory = (draft: SessionDraft, { opened, rest, forked, turn, hasInput }: Fork): void => {
  const bindTurn = (): void => {
    if (!hasInput) draft.addTurn(turn, 'running');
  };
  draft.openTask(opened);
  if (rest.length === 0) bindTurn();
  for (const [i, { event, entry }] of rest.entries()) {
    draft.reactivate(opened.task_id);
    if (i === rest.length - 1) bindTurn();
    const task = draft.apply(event);
    if (entry.machine !== MACHINE && !isFoldedAlike(entry, forked.from_task_id, task, draft.image.open))
      throw new EventNotAccepted(`entry ${entry.seq} leads elsewhere now`);
  }
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
    foldHistory(draft, input);
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
