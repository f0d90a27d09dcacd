import { z } from 'zod';
import { By } from './by.ts';
import { SessionEvent } from './event.ts';
import { Chain, SessionId } from './ids.ts';
import { Metadata, PauseReason } from './task.ts';
import { ToolQuestionView } from './tool-question.ts';
import { PendingApproval, TurnView } from './turn-view.ts';

/** Events that a callback reports, by the `type` in its body. */
export const CallbackType = z.enum([
  'turn.finished',
  'question.asked',
  'approval.requested',
  'task.paused',
  'reminder.due',
  'audit.root',
]);
export type CallbackType = z.infer<typeof CallbackType>;

/**
 * `metadata` comes from the newest turn of the task that had any. `by` sent the input that led there; absent where
 * nobody did, as at the expiry of a question.
 */
const ofTask = { session_id: SessionId, task_id: z.string(), goal: z.string(), metadata: Metadata, by: By.optional() };

const { reminder_id, subject, subject_id, text, due_at, late } = SessionEvent.options[0].shape;

const bodyOf = <Type extends CallbackType, Data extends z.ZodObject>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type),
    /** When the event happened, not when it is posted. */
    timestamp: z.iso.datetime(),
    /** The owner of the session. */
    owner: z.string(),
    data,
  });

/**
 * The bodies of callbacks, in the form of Standard Webhooks: the turn as the API shows it, or what a program needs to
 * react.
 */
export const callbackBodies = {
  'turn.finished': bodyOf('turn.finished', TurnView),
  'question.asked': bodyOf(
    'question.asked',
    z.object({
      ...ofTask,
      question: z.string(),
      options: z.array(z.string()).nullable(),
      tool_question: ToolQuestionView.optional(),
    }),
  ),
  'approval.requested': bodyOf(
    'approval.requested',
    z.object({ ...ofTask, question: z.string(), approval: PendingApproval }),
  ),
  /** `output` has three parts: what is done, why the task is not finished, and what to do next (SPEC 4). */
  'task.paused': bodyOf('task.paused', z.object({ ...ofTask, pause_reason: PauseReason, output: z.string() })),
  'reminder.due': bodyOf(
    'reminder.due',
    z.object({ session_id: SessionId, reminder_id, subject, subject_id, text, due_at, late }),
  ),
  /** The root of a day's acts, for TRIPACT_AUDIT_WEBHOOK alone. `owner` is empty: the acts are everybody's. */
  'audit.root': bodyOf('audit.root', z.object({ day: z.iso.date(), acts: z.number().int(), root: Chain })),
} as const satisfies Record<CallbackType, z.ZodObject>;

export type CallbackData<Type extends CallbackType> = z.infer<(typeof callbackBodies)[Type]>['data'];

/**
 * A callback's state: to be posted (again), accepted by its receiver, or not posted any more unless it is sent again.
 */
export const CallbackState = z.enum(['pending', 'delivered', 'given_up']);
export type CallbackState = z.infer<typeof CallbackState>;

/** A callback as the API lists it, without its body. */
export const CallbackView = z.object({
  /** Its `webhook-id`, the same in every post. */
  id: z.string(),
  type: CallbackType,
  target: z.enum(['callback_url', 'webhook']),
  /** The turn's `callback_url`; null for the service's own webhook. */
  url: z.string().nullable(),
  owner: z.string(),
  session_id: SessionId.nullable(),
  turn_id: z.string().nullable(),
  state: CallbackState,
  /** Posts since it was created or last sent again. */
  attempts: z.number().int(),
  /** When it is posted next; null: not at all. */
  due_at: z.iso.datetime().nullable(),
  /** Why the last post was not accepted. */
  last_error: z.string().nullable(),
  created_at: z.iso.datetime(),
  /** When it was delivered or given up. */
  ended_at: z.iso.datetime().nullable(),
});
export type CallbackView = z.infer<typeof CallbackView>;
