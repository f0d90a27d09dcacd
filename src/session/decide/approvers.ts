import { mayDecide } from '../../../contracts/approver.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { approversOf, pendingApprovers } from '../../../machines/approvals.ts';
import { ServiceError } from '../../lib/errors.ts';
import { deciderOf, type NewTurn } from '../image.ts';
import type { Fork } from '../input.ts';

/**
 * Throws `NOT_AN_APPROVER` where an action waits and whoever sent the turn may not decide about it. The action waits
 * on.
 */
export const assertApprover = (context: TaskContext, turn: NewTurn): void => {
  const wanted = pendingApprovers(context);
  if (wanted === null || mayDecide(wanted, turn.owner, deciderOf(turn))) return;
  throw new ServiceError('NOT_AN_APPROVER', `The action waits for ${wanted.approvers.join(', ')}, and still does`);
};

/** The reply to words of somebody who may not decide about the action that waits; null: their words count. */
export const refusedWords = (context: TaskContext, turn: NewTurn): string | null => {
  const wanted = pendingApprovers(context);
  const tool = context.last_thought_snapshot?.next_action?.tool;
  if (wanted === null || tool === undefined || mayDecide(wanted, turn.owner, deciderOf(turn))) return null;
  return messages(context.language).questions.notApprover(tool, wanted.approvers.join(', '));
};

/**
 * Refuses a fork that would do again what an approver allowed in the original: an action that runs where the fork
 * starts, or a tool that they allowed for good. Throws `NOT_AN_APPROVER`.
 */
export const assertMayFork = ({ history, turn, hasInput }: Fork): void => {
  const { context } = history.at(-1)!.made.task;
  if (hasInput) assertApprover(context, turn);
  const open = history.flatMap(({ made }) => made.effects).find(({ effect }) => effect === context.open_effect);
  const wasAskedAbout = context.last_thought_snapshot?.approval?.verdict !== 'run';
  const running = open?.type === 'tool.call' && open.params.refusal === undefined && wasAskedAbout;
  const allowed = [...context.approved_tools, ...(running ? [open.params.tool] : [])];
  const mayAgain = (tool: string): boolean => mayDecide(approversOf(context, tool), turn.owner, deciderOf(turn));
  const again = allowed.find((tool) => !mayAgain(tool));
  if (again === undefined) return;
  const { approvers = [] } = approversOf(context, again);
  throw new ServiceError(
    'NOT_AN_APPROVER',
    `The fork would run "${again}" by a decision of the original, and only ${approvers.join(', ')} may decide; fork it before that decision`,
  );
};
