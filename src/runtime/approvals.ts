import { approverNames, type Decider, mayDecide } from '../../contracts/approver.ts';
import type { By } from '../../contracts/by.ts';
import type { ApprovalCard } from '../../contracts/http.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import { taskOfApproval } from '../projections/question.ts';
import type { SubmittedTurn } from '../session/image.ts';
import type { OpenApproval, Tasks } from '../store/port.ts';
import type { SessionsApi } from './port.ts';

/** An approval as its approver sees it: the action and who asks, and nothing else of the task. */
const cardOf = ({ owner, task, since, expires_at }: OpenApproval): ApprovalCard[] => {
  if (task.approval === null) return [];
  const { id, tool, input, summary, reason } = task.approval;
  return [
    {
      id,
      tool,
      input,
      ...(summary !== undefined && { summary }),
      ...(reason !== undefined && { reason }),
      owner,
      since,
      expires_at,
    },
  ];
};

interface Parts {
  store: Pick<Tasks, 'approvals' | 'task'>;
  submit: SessionsApi['submit'];
}

/** Creates an approver's access to actions of others' tasks. It gives nothing of a task but the action that waits. */
export const createApprovals = ({ store, submit }: Parts) => {
  const taskOf = async (id: string) => {
    const taskId = taskOfApproval(id);
    return taskId === null ? null : store.task(null, taskId);
  };
  return {
    approvals: async (decider: Decider, page: PageRequest): Promise<Page<ApprovalCard>> => {
      const reader = decider === 'anybody' ? null : { owner: decider.owner, names: approverNames(decider) };
      const { items, next } = await store.approvals(reader, page);
      return { items: items.flatMap(cardOf), next };
    },
    approvalOwner: async (id: string): Promise<string | null> => (await taskOf(id))?.owner ?? null,
    decideApproval: async (
      id: string,
      decision: NonNullable<SubmittedTurn['decision']>,
      decider: Decider,
      by: By,
    ): Promise<void> => {
      const task = await taskOf(id);
      if (task === null) throw new ServiceError('APPROVAL_NOT_FOUND', 'There is no approval with that id');
      const open = task.view?.approval ?? null;
      if (open?.id !== id)
        throw new ServiceError(
          'QUESTION_NOT_OPEN',
          'This approval is closed: it was decided, or its task went on without it',
        );
      if (!mayDecide(open, task.owner, decider))
        throw new ServiceError('NOT_AN_APPROVER', 'You are no approver of this action; it waits on');
      await submit({
        owner: task.owner,
        session_id: task.session_id,
        input: '',
        decision: { ...decision, approval: id },
        by,
        decider,
      });
    },
  };
};
