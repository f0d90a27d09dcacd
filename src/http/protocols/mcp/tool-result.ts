import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { reportedProblem } from '../../error-handler.ts';

/** A turn's reply for programs. */
export const Reply = z.object({
  session: TurnView.shape.session_id,
  task_id: TurnView.shape.task_id,
  status: TurnView.shape.status,
  output: TurnView.shape.output,
  question: TurnView.shape.question,
  options: TurnView.shape.options,
  approval: TurnView.shape.approval,
});

/** What a client that can't ask its user itself has to be told, after the question. */
const howToGoOn = ({ session_id, status, approval }: TurnView): string => {
  if (status === 'paused') return `\n\nTo go on: tool "continue" with {"session": "${session_id}"}.`;
  if (status !== 'asking') return '';
  const answer = approval === null ? '{"session": "…", "answer": "…"}' : '{"session": "…", "decision": "approve"}';
  return `\n\nAsk the user, then call the tool "answer" with ${answer.replace('…', session_id)}.`;
};

/** A finished turn as a tool's result: what a model reads, and the same for programs. */
export const replyResult = (turn: TurnView): CallToolResult => {
  const { session_id, task_id, status, output, question, options, approval } = turn;
  return {
    content: [{ type: 'text', text: (output ?? '') + howToGoOn(turn) }],
    structuredContent: { session: session_id, task_id, status, output, question, options, approval },
  };
};

/** Anything else as a tool's result. */
export const dataResult = (data: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data,
});

/** Seconds until the same call may succeed: clients of the older era have their reply's headers before the call is made. */
const retryAfter = (error: unknown) =>
  error instanceof ServiceError && error.retryAfterSeconds !== undefined
    ? { _meta: { 'tripact/retry-after': error.retryAfterSeconds } }
    : {};

/** A failed call. What is the service's own fault is logged, and none of its text is shown. */
export const failedResult = (error: unknown, request: FastifyRequest): CallToolResult => ({
  ...retryAfter(error),
  isError: true,
  content: [
    { type: 'text', text: reportedProblem(error instanceof Error ? error : new Error(String(error)), request).detail },
  ],
});
