import { z } from 'zod';
import { DecisionRequest, type OwnPlan } from '../../../../contracts/http.ts';
import { asksApproval, asksForTool } from '../../../projections/question.ts';
import type { Submission } from '../conversations.ts';
import { decided, invalidRequest, refuseMedia, textOf } from '../request.ts';

/** The id of a thread, run or interrupt: clients send UUIDs or their own names. */
const Id = z.string().min(1).max(1_000);

const ResumeEntry = z.object({
  interruptId: Id,
  status: z.enum(['resolved', 'cancelled']),
  payload: z.unknown().optional(),
});
export type ResumeEntry = z.infer<typeof ResumeEntry>;

/**
 * The fields of a run that count here: the session stores the conversation, and the front end's tools cannot be called.
 */
export const RunInput = z.object({
  threadId: Id,
  runId: Id,
  protocolVersion: z.string().nullish(),
  messages: z
    .array(z.object({ id: z.string().optional(), role: z.string(), content: z.unknown().optional() }))
    .default([]),
  state: z.unknown().optional(),
  /** `answer_schema`, `plan` and `agent` are a turn's. */
  forwardedProps: z
    .object({
      answer_schema: z.record(z.string(), z.unknown()).optional(),
      // The turn checks its items: a plan must not be lost for one fault in it.
      plan: z.custom<OwnPlan>(Array.isArray).optional().catch(undefined),
      agent: z.string().optional().catch(undefined),
    })
    .nullish()
    .catch(null),
  /** A session asks one question at a time, so only one answer counts. */
  resume: z.array(ResumeEntry).max(100).nullish(),
});
export type RunInput = z.infer<typeof RunInput>;

const Content = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))]);

/**
 * The user's new message: the last one of the conversation, if it is not answered yet; null where there is none with
 * text.
 */
export const newMessage = ({ messages }: RunInput): { id: string; text: string } | null => {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'assistant' || role === 'tool');
  if (last?.role !== 'user') return null;
  const content = Content.safeParse(last.content).data ?? '';
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  if (parts.some(({ type }) => type !== 'text')) refuseMedia();
  const text = textOf(parts);
  return text === '' ? null : { id: last.id ?? '', text };
};

/** The input that edited arguments stand for: the inverse of `toolArguments`. */
const Edited = z.union([
  z.string(),
  z.record(z.string(), z.unknown()).transform((edited) => {
    const { input, ...others } = edited;
    return typeof input === 'string' && Object.keys(others).length === 0 ? input : JSON.stringify(edited);
  }),
]);

/** The formats of a decision: the service's own `decision`, or the format of the interrupt's schema. */
const ApprovalPayload = z.union([
  DecisionRequest.transform((decision) => ({ decision })),
  z
    .object({
      approved: z.boolean(),
      always: z.boolean().nullish(),
      editedArgs: Edited.nullish(),
      reason: z.string().nullish(),
    })
    .transform(({ approved, always, editedArgs, reason }): Submission['turn'] => {
      const { decision } = decided(always === true ? 'approve_always' : 'approve', reason);
      if (!approved) return decided('reject', reason);
      return { decision: editedArgs == null ? decision : { ...decision, type: 'edit', input: editedArgs } };
    }),
]);

const Answer = z.union([z.string(), z.object({ answer: z.string() }).transform(({ answer }) => answer)]);

/** The fields of a form as JSON, or words. A form's only field may be named `answer`, too. */
const ToolAnswer = z.union([
  z.string(),
  z.strictObject({ answer: z.enum(['done', 'decline', '完成', '拒绝']) }).transform(({ answer }) => answer),
  z.record(z.string(), z.unknown()).transform((fields) => JSON.stringify(fields)),
]);

/** The user's word for refusing a tool's request. */
const DECLINE = 'decline';

const fitting = <Value>(schema: z.ZodType<Value>, payload: unknown, form: string): Value => {
  const { success, data } = schema.safeParse(payload);
  if (!success) throw invalidRequest(`The payload does not fit the interrupt's responseSchema: ${form}`);
  return data;
};

/**
 * The turn that a resume entry stands for. Cancelling a question cancels its task, cancelling an approval or a tool's
 * question says no to it; a message sent along is the answer or the reason.
 */
export const resumedTurn = (
  { interruptId, status, payload }: ResumeEntry,
  message: string | null,
): Submission['turn'] => {
  if (status === 'cancelled') {
    if (asksForTool(interruptId)) return { input: message ?? DECLINE };
    if (!asksApproval(interruptId)) return { input: message ?? '/cancel' };
    return decided('reject', message);
  }
  if (payload == null && message !== null) return { input: message };
  if (asksForTool(interruptId)) return { input: fitting(ToolAnswer, payload, "the form's fields, or a text") };
  if (!asksApproval(interruptId)) return { input: fitting(Answer, payload, '{"answer": "…"}') };
  if (typeof payload === 'string') return { input: payload };
  return fitting(ApprovalPayload, payload, '{"approved": true or false}');
};
