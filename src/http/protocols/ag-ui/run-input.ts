import { z } from 'zod';
import { invalidRequest } from '../request.ts';

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
export const RunInput = z.object({
  threadId: Id,
  runId: Id,
  protocolVersion: z.string().max(ID_CHARS_MAX).nullish(),
  messages: z.array(z.unknown()).default([]),
  state: z.unknown().optional(),
  resume: z.array(ResumeEntry).max(RESUME_ENTRIES_MAX).nullish(),
});
export type RunInput = z.infer<typeof RunInput>;

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
    const { id, role, content } = (messages[i] ?? {}) as Record<string, unknown>;
    if (typeof role !== 'string') throw invalidRequest(`messages[${i}] is no message: it has no role`);
    if (role === 'assistant' || role === 'tool') return null;
    if (role !== 'user') continue;
    const text = textOf(content).trim();
    return text === '' ? null : { id: typeof id === 'string' ? id : '', text };
  }
  return null;
};
