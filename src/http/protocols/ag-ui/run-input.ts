import { z } from 'zod';
import { asksApproval } from '../../../projections/question.ts';
import type { Submission } from '../port.ts';
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

/** The input that edited arguments stand for: the reverse of `toolArguments`. */
const editedInput = (edited: string | Record<string, unknown>): string => {
  if (typeof edited === 'string') return edited;
  const { input, ...others } = edited;
  return typeof input === 'string' && Object.keys(others).length === 0 ? input : JSON.stringify(edited);
};

const reason = z.string().nullish();
const Edited = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** The forms in which a decision comes: as the schema says, as the service's own `decision`, or bare. */
const ApprovalPayload = z.union([
  z.object({ approved: z.boolean(), always: z.boolean().nullish(), editedArgs: Edited.nullish(), reason }),
  z.object({ type: z.enum(['approve', 'approve_always', 'reject']), reason }),
  z.object({ type: z.literal('edit'), input: Edited, reason }),
  z.boolean().transform((approved) => ({ approved, always: null, editedArgs: null, reason: null })),
]);

const decisionOf = (payload: z.infer<typeof ApprovalPayload>): Submission['turn']['decision'] => {
  const because = typeof payload.reason === 'string' && payload.reason.trim() !== '' ? { reason: payload.reason } : {};
  if ('type' in payload)
    return payload.type === 'edit'
      ? { type: 'edit', input: editedInput(payload.input), ...because }
      : { type: payload.type, ...because };
  const { approved, always, editedArgs } = payload;
  if (!approved) return { type: 'reject', ...because };
  if (editedArgs != null) return { type: 'edit', input: editedInput(editedArgs), ...because };
  return { type: always === true ? 'approve_always' : 'approve', ...because };
};

const yesOrNo = (approved: boolean): string => (approved ? 'yes' : 'no');

const AnswerPayload = z.union([
  z.string(),
  z.number().transform(String),
  z.boolean().transform(yesOrNo),
  z.object({ answer: z.string() }).transform(({ answer }) => answer),
  z.object({ approved: z.boolean() }).transform(({ approved }) => yesOrNo(approved)),
]);

const unreadable = (form: string): Error =>
  invalidRequest(`The payload does not fit the interrupt's responseSchema: ${form}`);

/**
 * The turn that a resume entry stands for. Words are taken for what they say, slash commands too, which leave the question open. Who
 * leaves a question without an answer cancels its task, and an action that nobody decided about does not run; where the user wrote a
 * message instead, that is the answer, or the reason of the no.
 */
export const resumedTurn = (
  { interruptId, status, payload }: ResumeEntry,
  message: string | null,
): Submission['turn'] => {
  if (status === 'cancelled') {
    if (!asksApproval(interruptId)) return { input: message ?? '/cancel' };
    return { decision: { type: 'reject', ...(message !== null && { reason: message }) } };
  }
  if (payload == null && message !== null) return { input: message };
  if (asksApproval(interruptId)) {
    if (typeof payload === 'string') return { input: payload };
    const decision = ApprovalPayload.safeParse(payload);
    if (!decision.success) throw unreadable('{"approved": true or false}');
    return { decision: decisionOf(decision.data) };
  }
  const words = AnswerPayload.safeParse(payload);
  if (!words.success) throw unreadable('{"answer": "…"}');
  return { input: words.data };
};
