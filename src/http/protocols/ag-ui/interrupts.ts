import type { Interrupt } from '@ag-ui/core';
import { z } from 'zod';
import type { TurnRequest } from '../../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../../contracts/turn-view.ts';
import { asksApproval, openQuestion } from '../open-question.ts';
import type { Conversations } from '../port.ts';
import { invalidRequest } from '../request.ts';
import type { ResumeEntry } from './run-input.ts';

/** Turns looked through for the question that is open: commands may stand between, and hardly so many. */
const TURNS_READ_MAX = 100;

/** The question or the approval that a session waits for. */
export interface OpenQuestion {
  id: string;
  question: string;
  options: readonly string[];
  approval: TaskView['approval'];
}

/** The open question of a session, as it was asked; null where it waits for nothing, or is not there. */
export const shownQuestion = async (
  conversations: Pick<Conversations, 'session' | 'turns'>,
  owner: string,
  sessionId: string,
): Promise<OpenQuestion | null> => {
  const open = await openQuestion(conversations, owner, sessionId);
  if (open === null) return null;
  const { id, task } = open;
  const { items } = await conversations.turns(owner, sessionId, { limit: TURNS_READ_MAX });
  const asking = items.find(({ task_id, status }: TurnView) => task_id === task.id && status === 'asking');
  return { id, question: asking?.question ?? '', options: asking?.options ?? [], approval: task.approval };
};

const APPROVAL_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean', description: 'Whether the tool may run' },
    always: { type: 'boolean', description: 'With approved: ask no more for this tool in this task' },
    editedArgs: { type: 'object', description: 'With approved: full replacement of the arguments. Not merged.' },
    reason: { type: 'string', description: 'What the agent is to know about the decision' },
  },
  required: ['approved'],
};

const answerSchema = (options: readonly string[]) => ({
  type: 'object',
  properties: {
    answer:
      options.length === 0
        ? { type: 'string', minLength: 1 }
        : {
            anyOf: [
              { type: 'string', enum: options },
              { type: 'string', minLength: 1 },
            ],
          },
  },
  required: ['answer'],
});

/** An open question as the interrupt that ends a run. That of an approval also names the tool call that was shown for it. */
export const interruptOf = ({ id, question, options, approval }: OpenQuestion): Interrupt => ({
  id,
  message: question,
  ...(approval === null
    ? { reason: 'input_required', responseSchema: answerSchema(options) }
    : { reason: 'tool_call', toolCallId: id, responseSchema: APPROVAL_SCHEMA }),
  metadata: { options },
});

/** A command line, or any other input, as the arguments of a tool call, which front ends read as a JSON object. */
export const toolArguments = (input: string): string => {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return input;
  } catch {}
  return JSON.stringify({ input });
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

const decisionOf = (payload: z.infer<typeof ApprovalPayload>): NonNullable<TurnRequest['decision']> => {
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
): Pick<TurnRequest, 'input' | 'decision'> => {
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
