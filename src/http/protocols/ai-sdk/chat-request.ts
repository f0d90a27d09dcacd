import { z } from 'zod';
import { OnBusy, Timezone, type TurnRequest } from '../../../../contracts/http.ts';
import { invalidRequest, parsed } from '../request.ts';

/** Most messages of a request: a page with more sends the newest ones. */
const MESSAGES_MAX = 1_000;

/** Longest id of a chat or a message, in characters. */
const ID_CHARS_MAX = 1_000;

const Id = z.string().min(1).max(ID_CHARS_MAX);

const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  toolCallId: z.string().optional(),
  state: z.string().optional(),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  approval: z.object({ approved: z.boolean().optional(), reason: z.string().optional() }).optional(),
});
type Part = z.infer<typeof Part>;

const Message = z.object({ id: Id.optional(), role: z.string(), parts: z.array(Part).default([]) });
type Message = z.infer<typeof Message>;

const Body = z.object({
  id: Id,
  messages: z.array(z.unknown()).max(MESSAGES_MAX, `must be at most ${MESSAGES_MAX}, the newest`).optional(),
  message: z.unknown().optional(),
  trigger: z.string().optional(),
  messageId: Id.nullish(),
  on_busy: OnBusy.optional(),
  timezone: Timezone.optional(),
});

/** The answer that the page's user gave in a tool call: to a question, or whether an action may run. */
export type Answer = { questionId: string; messageId: string | undefined } & (
  | { type: 'output'; output: unknown }
  | { type: 'approval'; isApproved: boolean; reason: string | undefined }
);

/** A request of a page. */
export interface ChatRequest {
  /** The chat's id. */
  chatId: string;
  /** The message that the page goes on with, or a user's text. */
  said:
    | { type: 'text'; text: string; isAgain: boolean; messageIds: readonly string[] }
    | { type: 'answer'; messageId: string | undefined; answer: Answer };
  /** Options of the turn. */
  more: Pick<TurnRequest, 'on_busy' | 'timezone'>;
}

const answerIn = (
  { type, toolCallId: questionId, state, output, errorText, approval }: Part,
  messageId: string | undefined,
): Answer | null => {
  if (questionId === undefined) return null;
  const of = { questionId, messageId };
  if (state === 'approval-responded' && approval?.approved !== undefined)
    return { type: 'approval', ...of, isApproved: approval.approved, reason: approval.reason };
  if (type !== 'tool-ask_user') return null;
  if (state === 'output-available') return { type: 'output', ...of, output };
  return state === 'output-error' ? { type: 'output', ...of, output: errorText ?? '' } : null;
};

const isAssistant = ({ role }: Message): boolean => role === 'assistant';

/** The newest answer in these messages; null where there is none. Reads no older ones. */
const lastAnswerIn = (messages: readonly unknown[]): Answer | null => {
  for (const value of messages.toReversed()) {
    const message = parsed(Message, value);
    if (!isAssistant(message)) continue;
    const answers = message.parts.map((part) => answerIn(part, message.id));
    const answer = answers.findLast((one) => one !== null);
    if (answer != null) return answer;
  }
  return null;
};

const textIn = ({ parts }: Message): string =>
  parts
    .map(({ type, text = '' }) => (type === 'text' ? text : ''))
    .filter((text) => text.trim() !== '')
    .join('\n');

/** The id of a message that is not read yet; empty where it has none. */
const idOf = (message: unknown): string => {
  const { id } = (message ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : '';
};

/** Reads the body of `POST /api/chat`. Rejects with `INVALID_REQUEST` for one that says nothing. */
export const readChatRequest = (body: unknown): ChatRequest => {
  const { id: chatId, messages, message, trigger, messageId, on_busy, timezone } = parsed(Body, body);
  const all = message === undefined ? (messages ?? []) : [message];
  if (all.length === 0) throw invalidRequest('There are no messages');
  const last = parsed(Message, all.at(-1));
  const more = { ...(on_busy !== undefined && { on_busy }), ...(timezone !== undefined && { timezone }) };
  const isAgain = trigger === 'regenerate-message';

  const isContinued = (one: unknown): boolean =>
    idOf(one) === messageId && (one as { role?: unknown }).role === 'assistant';
  if (!isAgain && (isAssistant(last) || (messageId != null && all.some(isContinued)))) {
    const answer = lastAnswerIn(all);
    if (answer === null)
      throw invalidRequest("No question is answered in these messages, and the last is not the user's");
    return { chatId, said: { type: 'answer', messageId: messageId ?? last.id, answer }, more };
  }

  if (last.role !== 'user') throw invalidRequest("The last message is neither the user's nor the assistant's");
  const text = textIn(last);
  if (text === '') throw invalidRequest('The user message has no text');
  const messageIds = last.id === undefined ? [] : all.map(idOf);
  return { chatId, said: { type: 'text', text, isAgain, messageIds }, more };
};
