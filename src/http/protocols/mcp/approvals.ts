import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApprovalBody } from '../../../../contracts/http.ts';
import { credentialHeaders } from '../../server/admission.ts';
import { parsed } from '../../server/parsed.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import { httpCallOf } from './http-call.ts';
import { dataResult, refusedResult } from './results.ts';
import type { ToolServer } from './tool-server.ts';

/** Most approvals in one list. */
const LISTED_MAX = 100;

const ONLY_READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const LETS_RUN: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };

const addList = (server: ToolServer, { engine }: ProtocolParts): void =>
  server.add(
    'approvals',
    {
      description:
        'Lists actions of anybody\'s tasks that wait for the user as an approver: the tool, its whole input, and who asks. Actions of the user\'s own tasks are answered by "answer".',
      annotations: ONLY_READS,
    },
    z.object({}),
    async (_, ctx) => {
      const { items, next } = await engine.approvals(httpCallOf(ctx).request.decider, { limit: LISTED_MAX });
      return dataResult({ approvals: items, more: next !== null });
    },
  );

const DecideArgs = z.object({
  approval: z.string().max(200).describe('The id of the approval, from the list'),
  decision: z.enum(['approve', 'approve_always', 'edit', 'reject']),
  input: z.string().optional().describe('The input that runs in place of the proposed one, for "edit"'),
  reason: z.string().min(1).optional(),
});

/** A refusal at the address below. */
const Refusal = z.object({ error: z.object({ message: z.string() }) });

/**
 * Sends a decision to the address below, as the caller of `request`; resolves with the refusal, or null. A task is
 * served at the home of its owner, which may be another node than its approver's: the request is forwarded there.
 */
const sendDecision = async (
  request: FastifyRequest,
  id: string,
  decision: z.infer<typeof ApprovalBody>,
): Promise<string | null> => {
  const { statusCode, payload } = await request.server.inject({
    method: 'POST',
    url: `/mcp/approvals/${encodeURIComponent(id)}`,
    headers: credentialHeaders(request),
    payload: decision,
  });
  return statusCode === 204 ? null : Refusal.parse(JSON.parse(payload)).error.message;
};

const addDecide = (server: ToolServer): void =>
  server.add(
    'decide',
    {
      description:
        'Decides about an action that waits for the user as an approver. Show the user the tool and its whole input first, and decide only as they say.',
      annotations: LETS_RUN,
    },
    DecideArgs,
    async ({ approval, decision: type, input, reason }, ctx) => {
      const given = { type, ...(input !== undefined && { input }), ...(reason !== undefined && { reason }) };
      const refusal = await sendDecision(httpCallOf(ctx).request, approval, parsed(ApprovalBody, given));
      return refusal === null ? dataResult({ approval, decision: type }) : refusedResult(refusal);
    },
  );

/** Adds the tools of an approver. */
export const addApprovals = (server: ToolServer, parts: ProtocolParts): void => {
  addList(server, parts);
  addDecide(server);
};

/** Creates the handler of a decision that a call of the tool `decide` made, at any node. */
export const createDecisionHandler =
  ({ engine }: ProtocolParts): ProtocolHandler =>
  async ({ params, body, decider, by }, reply) => {
    const { approval_id } = params as { approval_id: string };
    await engine.decideApproval(approval_id, parsed(ApprovalBody, body), decider, by);
    return reply.code(204).send();
  };
