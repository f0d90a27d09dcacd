import type { FastifyInstance } from 'fastify';
import { ApprovalBody, ApprovalCard } from '../../../contracts/http.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { routesOf } from './schemas.ts';

interface Parts {
  engine: Pick<SessionsApi, 'approvals' | 'decideApproval'>;
}

/** `/v1/approvals`: actions of anybody's tasks that wait for the caller as an approver (SPEC 3, 11). */
export const addApprovalRoutes = (app: FastifyInstance, { engine }: Parts): void => {
  const { route, list } = routesOf(app, 'approvals');

  list('/v1/approvals', 'listApprovals', {
    summary: 'The actions that you may approve, longest waiting first',
    description:
      "Those of tools with `approvers` that name you or one of your roles, in anybody's tasks: the tool, its whole input, and who asks. Nothing else of the " +
      'task is shown. Actions of your own tasks for which no approver is named are in `/v1/tasks`.',
    items: { approvals: ApprovalCard },
    isTagged: true,
    read: ({ decider }, page) => engine.approvals(decider, page),
  });

  route('POST /v1/approvals/:approval_id/decision', 'decideApproval', {
    summary: 'Decide about an action',
    description:
      '`edit` runs your `input` in place of the proposed one: 400 if the tool refuses it, and the action waits on. 403 `not-an-approver` for anybody else. ' +
      '409 `question-not-open` once it was decided or its task went on without it: of several decisions the first counts.',
    body: ApprovalBody,
    options: { config: { isOfApproval: true } },
    handle: ({ params, body, decider, by }) => engine.decideApproval(params.approval_id, body, decider, by),
  });
};
