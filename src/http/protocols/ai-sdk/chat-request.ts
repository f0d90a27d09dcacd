import { z } from 'zod';
import { AgentChoice, OnBusy, OwnPlan, Timezone, type TurnRequest } from '../../../../contracts/http.ts';
import { messages as texts } from '../../../../contracts/messages/messages.ts';
import { parsed } from '../../server/parsed.ts';
import { decided, fileIn, invalidRequest, textOf, wordsAndFiles } from '../request.ts';

const Id = z.string().min(1).max(1_000);

const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  /** Of a file: a data URL. */
  url: z.string().optional(),
  filename: z.string().optional(),
  toolCallId: z.string().optional(),
  state: z.string().optional(),
  output: z.unknown().optional(),
  errorText: z.string().default(''),
  approval: z.object({ approved: z.boolean().optional(), reason: z.string().default('') }).optional(),
});

const Body = z.object({
  id: Id,
  messages: z
    .array(z.object({ id: z.string().max(1_000).optional(), role: z.string(), parts: z.array(Part).default([]) }))
    .min(1),
  trigger: z.string().optional(),
  messageId: Id.nullish(),
  on_busy: OnBusy.optional(),
  timezone: Timezone.optional(),
  answer_schema: z.record(z.string(), z.unknown()).optional(),
  plan: OwnPlan.optional(),
  agent: AgentChoice.optional(),
});

type ChatTurn = Pick<
  TurnRequest,
  'input' | 'files' | 'decision' | 'on_busy' | 'timezone' | 'answer_schema' | 'plan' | 'agent'
>;

/** The reasons that mean "yes, and stop asking for this tool", one per language. */
const ALWAYS: readonly string[] = [texts('en').questions.approvedAlways, texts('zh').questions.approvedAlways];

/**
 * The turn that an answered part stands for: an answer to a question, or the approval of an action; null for any other
 * part.
 */
const answerIn = ({ type, state, output, errorText, approval }: z.infer<typeof Part>): ChatTurn | null => {
  if (state === 'approval-responded' && approval?.approved !== undefined) {
    const { approved, reason } = approval;
    if (approved && ALWAYS.includes(reason.trim().toLowerCase())) return decided('approve_always');
    return decided(approved ? 'approve' : 'reject', reason);
  }
  if (type !== 'tool-ask_user') return null;
  if (state === 'output-error') return { input: errorText };
  if (state !== 'output-available') return null;
  return { input: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') };
};

/**
 * Parses the body of `POST /api/chat`: a text with files, sent for the first time or again, or an `answer` in a message
 * that continues. Throws `INVALID_REQUEST` for neither.
 */
export const readChatRequest = (body: unknown) => {
  const {
    id: chatId,
    messages,
    trigger,
    messageId,
    on_busy,
    timezone,
    answer_schema,
    plan,
    agent,
  } = parsed(Body, body);
  const last = messages.at(-1)!;
  const isAgain = trigger === 'regenerate-message';
  const isContinued = messageId != null && messages.some(({ id, role }) => id === messageId && role === 'assistant');
  if (!isAgain && (last.role === 'assistant' || isContinued)) {
    const newest = messages
      .flatMap(({ id: askedIn, role, parts }) =>
        parts.map((part) => ({ askedIn, questionId: part.toolCallId, turn: role === 'assistant' && answerIn(part) })),
      )
      .findLast(({ questionId, turn }) => turn && questionId !== undefined);
    if (!newest?.turn || newest.questionId === undefined)
      throw invalidRequest("These messages answer no question, and the last one is not the user's");
    const { turn, askedIn, questionId } = newest;
    const answer = { questionId, askedIn, messageId: messageId ?? last.id };
    return { chatId, turn, answer, isAgain, messageIds: [] };
  }
  if (last.role !== 'user') throw invalidRequest('The last message is from neither the user nor the assistant');
  const files = last.parts.filter(({ type }) => type === 'file').map(({ url, filename }) => fileIn(url, filename));
  const input = textOf(last.parts.filter(({ type }) => type === 'text'));
  if (input === '' && files.length === 0) throw invalidRequest('The user message has no text');
  const turn: ChatTurn = {
    ...wordsAndFiles(input, files),
    ...(on_busy !== undefined && { on_busy }),
    ...(timezone !== undefined && { timezone }),
    ...(answer_schema !== undefined && { answer_schema }),
    ...(plan !== undefined && { plan }),
    ...(agent !== undefined && { agent }),
  };
  const messageIds = last.id === undefined ? [] : messages.map(({ id = '' }) => id);
  return { chatId, turn, answer: null, isAgain, messageIds };
};
