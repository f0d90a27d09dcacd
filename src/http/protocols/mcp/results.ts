import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { mayDecide } from '../../../../contracts/approver.ts';
import { cutText } from '../../../../contracts/text.ts';
import { TurnView } from '../../../../contracts/turn-view.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { questionId } from '../../../projections/question.ts';
import { reportedProblem } from '../../server/problem.ts';
import type { FinishedTurn } from '../conversations.ts';
import { type OfferedFile, withLinks } from '../written-files.ts';
import { formFor } from './forms.ts';
import { resourceLinks, resourceOf } from './session-files.ts';

const WrittenFile = z.object({
  name: z.string(),
  media_type: z.string(),
  size: z.number(),
  uri: z.string(),
  link: z.string().nullable().describe('Where a browser gets it without a key, for 7 days'),
});

/** A turn's reply for programs. */
export const Reply = TurnView.pick({
  task_id: true,
  status: true,
  output: true,
  answer: true,
  question: true,
  options: true,
  approval: true,
  tool_question: true,
}).extend({
  session: TurnView.shape.session_id,
  written_files: z.array(WrittenFile).optional().describe('Files that the task wrote: resources of this server'),
});

/** How a client that cannot ask its user itself continues; appended to the question. */
const howToGoOn = ({ session_id, status, approval }: TurnView): string => {
  if (status === 'paused') return `\n\nTo go on: tool "continue" with {"session": "${session_id}"}.`;
  if (status !== 'asking') return '';
  if (approval?.approvers !== undefined) return '\n\nAn approver decides it by the tools "approvals" and "decide".';
  const answer = approval === null ? '{"session": "…", "answer": "…"}' : '{"session": "…", "decision": "approve"}';
  return `\n\nAsk the user, then call the tool "answer" with ${answer.replace('…', session_id)}.`;
};

export const replyOf = (turn: TurnView, files: readonly OfferedFile[] = []): z.infer<typeof Reply> =>
  Reply.parse({
    ...turn,
    session: turn.session_id,
    ...(files.length > 0 && {
      written_files: files.map((file) => ({
        ...file,
        uri: resourceOf(turn.session_id, file),
        media_type: file.mediaType,
      })),
    }),
  });

/** Longest part of a turn's input in a list, in characters. */
const INPUT_CHARS_MAX = 500;

/** A turn's reply with the turn's input. */
export const listedTurn = (turn: TurnView) => ({ input: cutText(turn.input, INPUT_CHARS_MAX), ...replyOf(turn) });

/** A finished turn as a tool's result: text for a model, and the same data for programs. */
export const replyResult = ({ turn, files }: FinishedTurn): CallToolResult => ({
  content: [
    { type: 'text', text: withLinks(turn.output ?? '', files) + howToGoOn(turn) },
    ...resourceLinks(turn.session_id, files),
  ],
  structuredContent: replyOf(turn, files),
  ...(turn.status === 'failed' && { isError: true }),
});

export const dataResult = (data: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(data) }],
  structuredContent: data,
});

/** A call that was refused, with the reason. */
export const refusedResult = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

/** A failed call. Logs the service's own faults and never shows their text. */
export const failedResult = (error: Error, request: FastifyRequest): CallToolResult => {
  const after = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
  return {
    // For older clients the reply's headers are sent before the call runs.
    ...(after !== undefined && { _meta: { 'tripact/retry-after': after } }),
    ...refusedResult(reportedProblem(error, request).detail),
  };
};

/** The state that a client returns with the user's answer. Signed, because a client could send anything. */
export interface AskedState {
  session: string;
  turn_id: string;
  question: string;
  /** The question is a tool's form. */
  isToolForm?: boolean;
}

/** True unless an action waits about which the caller may not decide. */
const mayAnswer = ({ approval }: TurnView, { owner, decider }: FastifyRequest): boolean =>
  approval === null || mayDecide(approval, owner, decider);

/** A finished turn as a result. If it asks and the client can ask its user, the result requires the answer. */
export const resultOf = async (
  finished: FinishedTurn,
  ctx: ServerContext,
  codec: RequestStateCodec<AskedState>,
  request: FastifyRequest,
  canElicit: boolean,
): Promise<CallToolResult | InputRequiredResult> => {
  const { turn } = finished;
  const question = turn.task === null ? null : questionId(turn.task);
  if (turn.status !== 'asking' || question === null || !canElicit || !mayAnswer(turn, request))
    return replyResult(finished);
  const { inputRequests, isToolForm } = formFor(turn);
  const asked = { session: turn.session_id, turn_id: turn.id, question, ...(isToolForm && { isToolForm }) };
  return inputRequired({ inputRequests, requestState: await codec.mint(asked, ctx) });
};
