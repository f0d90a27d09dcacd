import { z } from 'zod';
import { OnBusy, Timezone, type TurnRequest } from '../../../../contracts/http.ts';
import { messages as texts } from '../../../../contracts/messages/messages.ts';
import { decided, invalidRequest, parsed, refuseMedia, textOf } from '../request.ts';

const Id = z.string().min(1).max(1_000);

const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  toolCallId: z.string().optional(),
  state: z.string().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  approval: z.object({ approved: z.boolean().optional(), reason: z.string().optional() }).optional(),
});

const Message = z.object({ id: z.string().max(1_000).optional(), role: z.string(), parts: z.array(Part).default([]) });
type Message = z.infer<typeof Message>;

const Body = z.object({
  id: Id,
  messages: z.array(Message).default([]),
  message: Message.optional(),
  trigger: z.string().optional(),
  messageId: Id.nullish(),
  on_busy: OnBusy.optional(),
  timezone: Timezone.optional(),
});

/** The answer that the page's user gave in a tool call of a message: to a question, or whether an action may run. */
export interface Answer {
  questionId: string;
  messageId: string | undefined;
  turn: Pick<TurnRequest, 'input' | 'decision'>;
}

/** A request of a page. */
export interface ChatRequest {
  chatId: string;
  /** The message that the page goes on with, or a user's text. */
  said:
    | { type: 'text'; text: string; isAgain: boolean; messageIds: readonly string[] }
    | { type: 'answer'; messageId: string | undefined; answer: Answer };
  more: Pick<TurnRequest, 'on_busy' | 'timezone'>;
}

/** A page's reason of a yes that means "and ask no more for this tool", in each language. */
const ALWAYS: readonly string[] = [texts('en').questions.approvedAlways, texts('zh').questions.approvedAlways];

const answerIn = ({ type, state, output, errorText = '', approval }: z.infer<typeof Part>): Answer['turn'] | null => {
  if (state === 'approval-responded' && approval?.approved !== undefined) {
    const { approved, reason = '' } = approval;
    if (approved && ALWAYS.includes(reason.trim().toLowerCase())) return decided('approve_always');
    return decided(approved ? 'approve' : 'reject', reason);
  }
  if (type !== 'tool-ask_user') return null;
  if (state === 'output-error') return { input: errorText };
  if (state !== 'output-available') return null;
  return { input: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') };
};

/** The newest answer in these messages; undefined where there is none. */
const lastAnswerIn = (messages: readonly Message[]): Answer | undefined =>
  messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ id: messageId, parts }) =>
      parts.flatMap((part): Answer[] => {
        const turn = answerIn(part);
        return turn === null || part.toolCallId === undefined ? [] : [{ questionId: part.toolCallId, messageId, turn }];
      }),
    )
    .at(-1);

/** Reads the body of `POST /api/chat`. Rejects with `INVALID_REQUEST` for one that says nothing. */
export const readChatRequest = (body: unknown): ChatRequest => {
  const { id: chatId, messages, message, trigger, messageId, on_busy, timezone } = parsed(Body, body);
  const all = message === undefined ? messages : [message];
  const last = all.at(-1);
  if (last === undefined) throw invalidRequest('There are no messages');
  const more = { ...(on_busy !== undefined && { on_busy }), ...(timezone !== undefined && { timezone }) };
  const isAgain = trigger === 'regenerate-message';
  const isContinued = messageId != null && all.some(({ id, role }) => id === messageId && role === 'assistant');
  if (!isAgain && (last.role === 'assistant' || isContinued)) {
    const answer = lastAnswerIn(all);
    if (answer === undefined)
      throw invalidRequest("No question is answered in these messages, and the last is not the user's");
    return { chatId, said: { type: 'answer', messageId: messageId ?? last.id, answer }, more };
  }
  if (last.role !== 'user') throw invalidRequest("The last message is neither the user's nor the assistant's");
  if (last.parts.some(({ type }) => type === 'file')) refuseMedia();
  const text = textOf(last.parts.filter(({ type }) => type === 'text'));
  if (text === '') throw invalidRequest('The user message has no text');
  const messageIds = last.id === undefined ? [] : all.map(({ id = '' }) => id);
  return { chatId, said: { type: 'text', text, isAgain, messageIds }, more };
};
