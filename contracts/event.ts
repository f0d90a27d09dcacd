import { z } from 'zod';
import { ApprovalDecision } from './approval.ts';
import { Conversation } from './conversation.ts';
import { EffectNumber, SessionId, TaskId, TurnId } from './ids.ts';
import { OPTIONS_MAX, PLAN_ITEMS_READ_MAX } from './limits.ts';
import { PlanAnswer, PlanItemAnswer, PlanItemStatus } from './plan.ts';
import { ReplanStatus, TaskOutcome } from './replan.ts';
import { TaskLimits } from './task-limits.ts';
import { ItemOutcome, NextAction, ThoughtStatus } from './thought.ts';
import { CallUsage } from './usage.ts';

/** Which reader made sense of a model's text, in the order tried (SPEC 5). */
export const Reader = z.enum(['strict', 'fenced', 'embedded', 'repaired', 'signal']);
export type Reader = z.infer<typeof Reader>;

/** What a task may use, by name, fixed when it opens so that its history replays anywhere. */
export const Catalogue = z.object({
  /** Every tool's name, whether it changes things that verifiers ought to check, and whether a person approves each call (absent: no). */
  tools: z.array(z.object({ name: z.string(), writes: z.boolean(), approval: z.boolean().optional() })),
  /** Executors by name; `tools` null means every tool. `default` is always among them. */
  executors: z.array(z.object({ name: z.string(), tools: z.array(z.string()).nullable() })),
});
export type Catalogue = z.infer<typeof Catalogue>;

const answered = { effect: EffectNumber, usage: CallUsage.optional() };
const read = { ...answered, reader: Reader };
/** What the machine changed in an accepted plan: a cut plan, an unknown executor or tool (SPEC 5, 6). */
const notes = z.array(z.string()).optional();
const refused = { ...answered, reason: z.string() };

/** A task starts; carries all that the machine needs for its initial state. */
export const TaskOpened = z.object({
  type: z.literal('task.opened'),
  task_id: TaskId,
  session_id: SessionId,
  turn_id: TurnId,
  goal: z.string(),
  language: z.enum(['en', 'zh']),
  limits: TaskLimits,
  catalogue: Catalogue,
  confirm_plan: z.boolean(),
  /** False: the goal itself is the plan, and no model is asked for one (SPEC 3). */
  planning: z.boolean().default(true),
  verifies: z.boolean(),
  /** What was said and answered in the session before (SPEC 3). */
  conversation: Conversation.default([]),
});
export type TaskOpened = z.infer<typeof TaskOpened>;

/** One change that a user makes to the plan of a task that waits or is paused. Indexes count from 0. */
export const PlanEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), step: z.string().trim().min(1), index: z.number().int().min(0).optional() }),
  z.object({ kind: z.literal('drop'), index: z.number().int().min(0) }),
  z.object({ kind: z.literal('move'), from: z.number().int().min(0), to: z.number().int().min(0) }),
  z.object({ kind: z.literal('mark'), index: z.number().int().min(0), status: PlanItemStatus }),
]);
export type PlanEdit = z.infer<typeof PlanEdit>;

/** A fact that goes into a task's machine (SPEC 1). An event with an `effect` is the outcome of the task's effect with that number. */
export const TaskEvent = z.discriminatedUnion('type', [
  PlanAnswer.extend({ type: z.literal('plan.made'), notes, ...read }),
  z.object({ type: z.literal('plan.rejected'), ...refused }),
  z.object({
    type: z.literal('thought.made'),
    status: ThoughtStatus,
    current_step: z.string().nullable(),
    next_action: NextAction.nullable(),
    question: z.string().nullable(),
    response: z.string().nullable(),
    /** With `done` only, and only where the model gave it; absent means `completed`. */
    outcome: ItemOutcome.optional(),
    /** With `ask_user` only: what the user may choose from. */
    options: z.array(z.string()).max(OPTIONS_MAX).optional(),
    /** The mark that stood for the answer (SPEC 5, signal); `outcome` has what it means. */
    signal: z.enum(['step_done', 'blocked', 'replan']).optional(),
    ...read,
  }),
  z.object({ type: z.literal('thought.rejected'), ...refused }),
  z.object({
    type: z.literal('replan.made'),
    status: ReplanStatus,
    plan: z.array(PlanItemAnswer).max(PLAN_ITEMS_READ_MAX),
    response: z.string().nullable(),
    /** With `done` only, and only where the model gave it; absent means `completed`. */
    outcome: TaskOutcome.optional(),
    notes,
    ...read,
  }),
  z.object({ type: z.literal('replan.rejected'), ...refused }),
  /** The model brought no answer, after its bounded retries. */
  z.object({ type: z.literal('model.unavailable'), effect: EffectNumber, reason: z.string() }),
  z.object({
    type: z.literal('observation.recorded'),
    effect: EffectNumber,
    tool: z.string(),
    input: z.string(),
    ok: z.boolean(),
    result: z.string(),
  }),
  z.object({ type: z.literal('verification.finished'), effect: EffectNumber, ok: z.boolean(), output: z.string() }),
  /** One effect was attempted `EFFECT_ATTEMPTS_MAX` times without an outcome. */
  z.object({ type: z.literal('effect.abandoned'), effect: EffectNumber, begins: z.number().int() }),
  /** The owner's quota of tokens or turns is used up; the effect was not started. */
  z.object({ type: z.literal('quota.exhausted'), effect: EffectNumber, reason: z.string() }),
  /** The running code has another machine than the history was made with, and they disagree. */
  z.object({ type: z.literal('machine.changed'), from: z.string(), to: z.string(), reason: z.string() }),
  z.object({ type: z.literal('answer.received'), turn_id: TurnId, text: z.string() }),
  /** The user decided by more than words about the action that waits for approval. */
  z.object({ type: z.literal('decision.received'), turn_id: TurnId, decision: ApprovalDecision }),
  z.object({ type: z.literal('steer.received'), turn_id: TurnId, text: z.string() }),
  z.object({ type: z.literal('plan.edited'), turn_id: TurnId.nullable(), edits: z.array(PlanEdit).min(1) }),
  z.object({ type: z.literal('task.resumed'), turn_id: TurnId }),
  z.object({ type: z.literal('task.cancelled'), turn_id: TurnId.nullable() }),
  /** A late outcome of an effect that no longer matters; changes nothing and counts nothing. */
  z.object({ type: z.literal('result.superseded'), effect: EffectNumber, outcome: z.string() }),
]);
export type TaskEvent = z.infer<typeof TaskEvent>;
export type TaskEventType = TaskEvent['type'];
export type EventOf<Type extends TaskEventType> = Extract<TaskEvent, { type: Type }>;

/** A fact about a session that belongs to no task, so no machine sees it. */
export const SessionEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('reminder.due'),
    reminder_id: z.number().int(),
    subject: z.enum(['todo', 'schedule']),
    subject_id: z.number().int(),
    text: z.string(),
    due_at: z.string(),
    late: z.boolean(),
  }),
  z.object({
    type: z.literal('session.forked'),
    from_session_id: SessionId,
    from_task_id: TaskId,
    at_seq: z.number().int(),
    /** What was said and answered before the fork, for the tasks that it opens later. */
    conversation: Conversation.optional(),
  }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
