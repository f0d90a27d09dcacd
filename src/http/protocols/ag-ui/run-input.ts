import { z } from 'zod';
import { ServiceError } from '../../../errors.ts';

/** Longest id of a thread, a run or an interrupt, in characters: clients send UUIDs or names of their own. */
const ID_CHARS_MAX = 1_000;

const Id = z.string().min(1).max(ID_CHARS_MAX);

/** Answers of one request: a run asks one thing at a time, and a client may still name others. */
const RESUME_ENTRIES_MAX = 100;

const ResumeEntry = z.object({
  interruptId: Id,
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
});
export type ResumeEntry = z.infer<typeof ResumeEntry>;

/** The body of a run, as far as it counts here: the session has the conversation, and tools of the front end cannot be called. */
const RunInput = z.object({
  threadId: Id,
  runId: Id,
  protocolVersion: z.string().max(ID_CHARS_MAX).nullish(),
  /** Not read one by one: a front end sends the whole conversation, of which the newest message counts. */
  messages: z.custom<unknown[]>(Array.isArray, 'must be a list').default([]),
  state: z.unknown().optional(),
  resume: z.array(ResumeEntry).max(RESUME_ENTRIES_MAX).nullish(),
});
export type RunInput = z.infer<typeof RunInput>;

const Message = z.object({
  id: z.string().max(ID_CHARS_MAX).optional(),
  role: z.string(),
  content: z.unknown().optional(),
});

/** Reads a body. Throws `INVALID_REQUEST`. */
export const readRunInput = (body: unknown): RunInput => {
  const { success, data, error } = RunInput.safeParse(body);
  if (!success) throw new ServiceError('INVALID_REQUEST', z.prettifyError(error));
  return data;
};

const textPart = (part: unknown): string[] => {
  const { type, text } = (part ?? {}) as Record<string, unknown>;
  return type === 'text' && typeof text === 'string' ? [text] : [];
};

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.flatMap(textPart).join('\n') : '';
};

/** The user's new message: the last one of the conversation, where nobody has answered it; null where there is none with text. Throws `INVALID_REQUEST`. */
export const newMessage = ({ messages }: RunInput): { id: string; text: string } | null => {
  for (let i = messages.length - 1; i >= 0; i--) {
    const { success, data } = Message.safeParse(messages[i]);
    if (!success) throw new ServiceError('INVALID_REQUEST', `messages[${i}] is no message: it has no role`);
    if (data.role === 'assistant' || data.role === 'tool') return null;
    if (data.role !== 'user') continue;
    const text = textOf(data.content).trim();
    return text === '' ? null : { id: data.id ?? '', text };
  }
  return null;
};
