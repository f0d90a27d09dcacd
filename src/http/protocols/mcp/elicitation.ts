import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TurnRequest } from '../../../../contracts/http.ts';
import { languageOf } from '../../../../contracts/language.ts';
import { messages } from '../../../../contracts/messages/messages.ts';
import type { TurnView } from '../../../../contracts/turn-view.ts';
import { questionId } from '../../../projections/question-id.ts';
import { replyResult } from './tool-result.ts';

/** What the client gives back with the user's answer; signed, because a client could write anything there. */
export const AskedState = z.object({ session: z.string(), turn_id: z.string(), question: z.string() });
export type AskedState = z.infer<typeof AskedState>;

/** The name of the one input that a result requires. */
const ANSWER = 'answer';

const Decision = z.object({
  decision: z.enum(['approve', 'approve_always', 'reject']),
  reason: z.string().optional(),
});

const Answer = z.object({ answer: z.string() });

const Envelope = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}) }),
});

/** Clients of the earlier era can't: they are served call by call, without a way back. */
const canElicit = ({ mcpReq }: ServerContext): boolean => Envelope.safeParse(mcpReq.envelope).success;

/** The form for a question: its options to choose from or none. */
const formOf = ({ approval, options, task }: TurnView) => {
  if (approval !== null) return Decision;
  return options === null
    ? Answer
    : z.object({ answer: z.string().describe(messages(languageOf(task?.goal ?? '')).mcp.oneOf(options)) });
};

/** A finished turn as a result. Where it asks and the client can ask its user, the result requires the answer. */
export const resultOf = async (
  turn: TurnView,
  ctx: ServerContext,
  codec: RequestStateCodec<AskedState>,
): Promise<CallToolResult | InputRequiredResult> => {
  const question = turn.task === null ? null : questionId(turn.task);
  if (turn.status !== 'asking' || question === null || !canElicit(ctx)) return replyResult(turn);
  return inputRequired({
    inputRequests: {
      [ANSWER]: inputRequired.elicit({ message: turn.output ?? '', requestedSchema: formOf(turn) }),
    },
    requestState: await codec.mint({ session: turn.session_id, turn_id: turn.id, question }, ctx),
  });
};

/** What the user answered to the form; null where it was declined, cancelled or is none. */
export const answerIn = ({ mcpReq }: ServerContext): Pick<TurnRequest, 'input' | 'decision'> | null => {
  const decided = acceptedContent(mcpReq.inputResponses, ANSWER, Decision);
  if (decided !== undefined) {
    const { decision: type, reason } = decided;
    return { decision: { type, ...(reason !== undefined && reason.trim() !== '' && { reason }) } };
  }
  const input = acceptedContent(mcpReq.inputResponses, ANSWER, Answer)?.answer.trim();
  return input === undefined || input === '' ? null : { input };
};
