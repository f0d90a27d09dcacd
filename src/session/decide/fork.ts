import { isContinuePhrase } from '../../../machines/phrases.ts';
import { ServiceError } from '../../lib/errors.ts';
import { sentBy } from '../image.ts';
import type { Fork } from '../input.ts';
import { assertMayFork } from './approvers.ts';
import type { SessionDraft } from './session-draft.ts';

/** Continues as the original did: its last event belongs to this session, and may answer the turn. */
const continueAlike = (draft: SessionDraft, { history, turn }: Fork): void => {
  const last = history.at(-1)!.event;
  if (last.type === 'task.opened') {
    draft.openTask(last);
    draft.addTurn(turn, 'running');
    draft.answerIfAsking();
    return;
  }
  draft.copyTask(history.slice(0, -1));
  draft.addTurn(turn, 'running');
  draft.apply(last);
};

/** Applies the user's input where the fork starts: an answer, a continue, or a steer (SPEC 2, 6). */
const takeInput = (draft: SessionDraft, { history, turn }: Fork): void => {
  const { turn_id, input: text } = turn;
  const sent = sentBy(turn);
  const { state, context } = history.at(-1)!.made.task;
  draft.copyTask(history);
  if (context.expired !== null && !isContinuePhrase(text)) {
    draft.apply({ type: 'task.resumed', turn_id, ...sent });
    draft.addTurn(turn, 'running');
    return void draft.apply({ type: 'answer.received', turn_id, text, ...sent });
  }
  draft.addTurn(turn, 'running');
  if (state === 'awaiting_user') return void draft.apply({ type: 'answer.received', turn_id, text, ...sent });
  if (state === 'paused') {
    draft.apply({ type: 'task.resumed', turn_id, ...sent });
    if (isContinuePhrase(text) || draft.image.active === null) return;
  }
  draft.apply({ type: 'steer.received', turn_id, text, ...sent });
};

/** Creates a session that continues a task's history. Its first entry names the origin. Throws `SESSION_EXISTS`. */
export const fork = (draft: SessionDraft, input: Fork): void => {
  const { isStored, session } = draft.image;
  if (isStored)
    throw new ServiceError(
      'SESSION_EXISTS',
      `The session "${session.session_id}" already exists, and a fork creates a new one; choose another name, or none`,
    );
  assertMayFork(input);
  draft.beginFork(input.forked);
  if (input.hasInput) takeInput(draft, input);
  else continueAlike(draft, input);
};
