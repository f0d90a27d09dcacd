import { z } from 'zod';
import type { TurnFile } from '../../../../contracts/file.ts';
import { DecisionRequest, type OwnPlan } from '../../../../contracts/http.ts';
import { asksApproval, asksForTool } from '../../../projections/question.ts';
import type { Submission } from '../conversations.ts';
import { decided, fileIn, invalidRequest, refuseAddress, refuseMedia, textOf, wordsAndFiles } from '../request.ts';

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

/** The source of a part: bytes in base64, or an address or a provider's id, of which only data URLs count. */
const Source = z.object({ type: z.string(), value: z.string().optional() });

const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  source: Source.optional().catch(undefined),
  /** The fields of a `binary` part of a client before 1.0. */
  data: z.string().optional(),
  url: z.string().optional(),
  /** In `metadata` from 1.0 on. */
  filename: z.string().optional(),
  metadata: z.object({ filename: z.string().optional() }).optional().catch(undefined),
});
type Part = z.infer<typeof Part>;

const Content = z.union([z.string(), z.array(Part)]);

/** The file of a part, in the format of either version. Refuses addresses, and parts that are no files. */
const fileOf = ({ type, source, data, url, filename, metadata }: Part): TurnFile => {
  if (!['image', 'document', 'binary'].includes(type)) return refuseMedia();
  const name = filename ?? metadata?.filename;
  const bytes = source === undefined ? data : source.type === 'data' ? source.value : undefined;
  if (bytes !== undefined) return { data: bytes, ...(name && { name }) };
  const address = source === undefined ? url : source.type === 'url' ? source.value : undefined;
  return address === undefined ? refuseAddress() : fileIn(address, name);
};

/** A user's message as a run has it. */
export interface NewMessage {
  id: string;
  /** Empty for files alone. */
  text: string;
  files: TurnFile[];
}

/**
 * The user's new message: the last one of the conversation, if it is not answered yet; null where there is none with
 * text or files.
 */
export const newMessage = ({ messages }: RunInput): NewMessage | null => {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'assistant' || role === 'tool');
  if (last?.role !== 'user') return null;
  const content = Content.safeParse(last.content).data ?? '';
  const parts: Part[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const files = parts.filter(({ type }) => type !== 'text').map(fileOf);
  const text = textOf(parts.filter(({ type }) => type === 'text'));
  return text === '' && files.length === 0 ? null : { id: last.id ?? '', text, files };
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
  message: NewMessage | null,
): Submission['turn'] => {
  const files = message === null || message.files.length === 0 ? {} : { files: message.files };
  if (status === 'cancelled') {
    const said = message?.text || null;
    if (asksForTool(interruptId)) return { input: said ?? DECLINE, ...files };
    if (!asksApproval(interruptId)) return { input: said ?? '/cancel', ...files };
    return { ...decided('reject', said), ...files };
  }
  if (payload == null && message !== null) return wordsAndFiles(message.text, message.files);
  return { ...answeredTurn(interruptId, payload), ...files };
};

/** The answer or decision in an interrupt's payload. */
const answeredTurn = (interruptId: string, payload: unknown): Submission['turn'] => {
  if (asksForTool(interruptId)) return { input: fitting(ToolAnswer, payload, "the form's fields, or a text") };
  if (!asksApproval(interruptId)) return { input: fitting(Answer, payload, '{"answer": "…"}') };
  if (typeof payload === 'string') return { input: payload };
  return fitting(ApprovalPayload, payload, '{"approved": true or false}');
};
