import type { ApprovalDecision } from '../../../contracts/approval.ts';
import { plainLine } from '../../../contracts/plain-line.ts';
import { pendingAction } from '../../../machines/approval.ts';
import { ServiceError } from '../../lib/errors.ts';
import { approvalAnswer } from '../../projections/question.ts';
import { activityOf } from '../session-image.ts';
import type { IncomingTurn } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

/** Longest question in a refusal, in characters: enough to know it by. */
const QUESTION_CHARS_MAX = 200;

/** What the session waits for, or does, where no action waits for approval. */
const whatInstead = (draft: SessionDraft, isRunning: boolean): string => {
  const { active } = draft.image;
  if (isRunning) return 'a task of this session is running or about to';
  if (active !== null) {
    const question = plainLine(active.task.context.last_ask_user_question ?? '', QUESTION_CHARS_MAX);
    return `the task waits for an answer, which is an "input": ${question}`;
  }
  return draft.lastPaused() === null
    ? 'no task of this session runs or waits'
    : 'the task is paused; send the input "continue"';
};

/**
 * Takes a decision to the action that waits for approval (SPEC 3, 11). Throws `NO_APPROVAL_PENDING` where none does, and nothing is
 * stored: also where one was asked about after the decision came, for nobody can have decided about that.
 */
export const decideAction = (
  draft: SessionDraft,
  { turn, cameWhileRunning }: IncomingTurn,
  decision: ApprovalDecision,
): void => {
  const { active } = draft.image;
  const isRunning = cameWhileRunning || activityOf(draft.image) === 'running';
  if (isRunning || active === null || pendingAction(active.task.context) === null)
    throw new ServiceError('NO_APPROVAL_PENDING', `No action waits for approval: ${whatInstead(draft, isRunning)}`);
  draft.addTurn({ ...turn, input: approvalAnswer(decision, active.task.context.language) }, 'running');
  draft.apply({ type: 'decision.received', turn_id: turn.turn_id, decision });
};
