import { messages } from '../../../contracts/messages/messages.ts';
import { ServiceError } from '../../lib/errors.ts';
import { questionId } from '../../projections/question.ts';
import { taskView } from '../../projections/task-view.ts';
import { activityOf } from '../session-image.ts';
import type { IncomingTurn } from '../session-input.ts';
import { commandLanguage } from './command-language.ts';
import type { SessionDraft } from './session-draft.ts';

/** Refuses an answer to a question that the session does not ask, or asks no more, so that it answers no other one. */
export const assertAsked = (draft: SessionDraft, { turn, cameWhileRunning }: IncomingTurn): void => {
  if (turn.answers === undefined) return;
  const { image } = draft;
  const { active } = image;
  const waits = active !== null && !cameWhileRunning && activityOf(image) === 'waiting';
  if (!waits || questionId(taskView(active.task)) !== turn.answers)
    throw new ServiceError('QUESTION_NOT_OPEN', messages(commandLanguage(draft, turn.input)).questions.notOpen);
};
