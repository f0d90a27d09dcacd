import { z } from 'zod';
import {
  ItemOutcome,
  NextAction,
  type PlanItemAnswer,
  PlanItemStatus,
  ReplanStatus,
  ShapedAnswer,
  StoredThought,
  TaskOutcome,
  ThoughtStatus,
} from './answer.ts';
import { By } from './by.ts';
import { spoken } from './calls.ts';
import { AttachedFiles } from './file.ts';
import { Chain, EffectNumber, SessionId, TaskId, TurnId } from './ids.ts';
import { OPTIONS_MAX } from './limits.ts';
import { SkillHashes } from './skill.ts';
import {
  Catalogue,
  ConfirmPlan,
  Conversation,
  Memory,
  Metadata,
  PausedTask,
  ReplanMode,
  StoredTaskLimits,
} from './task.ts';
import { Resumed, ToolRequest } from './tool-question.ts';
import { CallUsage } from './usage.ts';

/** A person's decision on a pending action (SPEC 3, approval). `edit` runs its input in place of the thought's. */
export const ApprovalDecision = z.discriminatedUnion('type', [
  z.object({ type: z.literal('approve'), reason: z.string().optional() }),
  /** Also stops asking about this tool in this task. */
  z.object({ type: z.literal('approve_always'), reason: z.string().optional() }),
  z.object({ type: z.literal('edit'), input: NextAction.shape.input, reason: z.string().optional() }),
  z.object({ type: z.literal('reject'), reason: z.string().optional() }),
]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/**
 * How an answer was read: `native` from calls of the model's API; the others parsed its text, in the order tried (SPEC
 * 5).
 */
export const Reader = z.enum(['native', 'strict', 'fenced', 'embedded', 'repaired', 'yaml', 'signal']);
export type Reader = z.infer<typeof Reader>;

const answered = {
  effect: EffectNumber,
  usage: CallUsage.optional(),
  /** Paths of the user's files that the model could not look at; absent: none. */
  unseen: z.array(z.string()).optional(),
};
const read = { ...answered, reader: Reader, ...spoken };
/** The machine's changes to an accepted plan: a shortened plan, an unknown executor or tool (SPEC 5, 6). */
const notes = z.array(z.string()).optional();
/** The current tools and executors, where they differ from those the task has had so far (SPEC 8). */
const catalogue = Catalogue.optional();
const refused = { ...answered, reason: z.string(), ...spoken };

/**
 * An action and its result; `left_out`: characters of the whole result that are missing here. The session's files have
 * it whole.
 */
const observed = {
  tool: z.string(),
  input: z.string(),
  ok: z.boolean(),
  result: z.string(),
  left_out: z.number().int().min(1).optional(),
  /** Images and files that the tool gave beside its text, stored in the session's folder. */
  files: AttachedFiles.optional(),
};

/** The items of an accepted plan, without today's length limit: histories of earlier builds contain longer ones. */
const plan = z.array(
  z.union([
    z.string(),
    z.object({
      id: z.string(),
      step: z.string(),
      depends_on: z.array(z.string()).nullish(),
      executor: z.string().optional(),
      tools: z.array(z.string()).nullish(),
      expected: z.string().optional(),
    }),
  ]) satisfies z.ZodType<PlanItemAnswer>,
);

/** A step of a plan that another system left in the session's folder (SPEC 10). */
export const LeftStep = z.object({ step: z.string(), is_completed: z.boolean(), result: z.string().nullable() });
export type LeftStep = z.infer<typeof LeftStep>;

/** Fields of a user's turn beside its words. They apply to the task from this event on. */
const brought = {
  metadata: Metadata.optional(),
  context: z.string().optional(),
  answer_schema: z.record(z.string(), z.unknown()).optional(),
  /** The files that the turn brought, stored in the session's folder. */
  files: AttachedFiles.optional(),
  /** Seconds after which an unanswered question expires; absent: unchanged, and by default never (SPEC 6). */
  expires_in: z.number().int().min(1).optional(),
};

/** Who sent it; absent in histories of earlier versions, and if an embedding program did not say. */
const sent = { by: By.optional() };

/** A task starts. Carries everything that the machine's initial state needs. */
export const TaskOpened = z.object({
  type: z.literal('task.opened'),
  task_id: TaskId,
  session_id: SessionId,
  turn_id: TurnId,
  goal: z.string(),
  language: z.enum(['en', 'zh']),
  limits: StoredTaskLimits,
  catalogue: Catalogue,
  confirm_plan: ConfirmPlan,
  /** False: the goal itself is the plan, and no model is asked for one (SPEC 3). */
  planning: z.boolean().default(true),
  /** Whether a replan follows every completed item; absent: always. */
  replan: ReplanMode.optional(),
  /** False: only the first call of each model message is used; absent: as many as possible. */
  chain: z.boolean().optional(),
  verifies: z.boolean(),
  /** Tools that the turn allows, by name or prefix (`mail_*`); absent: all. */
  tools: z.array(z.string()).optional(),
  ...brought,
  ...sent,
  /** Earlier turns of the session as pairs of input and answer (SPEC 3). */
  conversation: Conversation.default([]),
  /** Absent: no facts are remembered. */
  memory: Memory.optional(),
  /** The session's last question, where it expired and this goal came in place of an answer. */
  expired_question: z.string().optional(),
  /** The session's newest task, where it is paused and this goal leaves it behind. */
  paused_task: PausedTask.optional(),
  /** The plan that the task continues: its completed steps have ended, the others go to the first replan. */
  left_steps: z.array(LeftStep).optional(),
  /** In a fork: the chain of the entry that it was forked at. No machine reads it. */
  chained_from: Chain.optional(),
  /** The turn's own plan: the task's first one, without a model call (SPEC 3). */
  plan: plan.optional(),
  /** The agent that works on it; absent: the service has one agent, without a name. */
  agent: z.string().optional(),
  /** The skills that the task could read, each with the SHA-256 of all its files (SPEC 8). No machine reads it. */
  skills: SkillHashes.optional(),
});
export type TaskOpened = z.infer<typeof TaskOpened>;

/** One edit by a user to the plan of a waiting or paused task. Indexes count from 0. */
export const PlanEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('add'), step: z.string().trim().min(1), index: z.number().int().min(0).optional() }),
  z.object({ kind: z.literal('drop'), index: z.number().int().min(0) }),
  z.object({ kind: z.literal('move'), from: z.number().int().min(0), to: z.number().int().min(0) }),
  z.object({ kind: z.literal('mark'), index: z.number().int().min(0), status: PlanItemStatus }),
]);
export type PlanEdit = z.infer<typeof PlanEdit>;

/**
 * A fact that goes into a task's machine (SPEC 1). An event with an `effect` is the outcome of that effect of the task.
 */
export const TaskEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('plan.made'),
    status: z.literal('planned'),
    goal: z.string().optional(),
    plan,
    notes,
    catalogue,
    ...read,
  }),
  z.object({ type: z.literal('plan.rejected'), ...refused }),
  z.object({
    type: z.literal('thought.made'),
    ...StoredThought.shape,
    /** Only with `done`, and only where the model gave it; absent: `completed`. */
    outcome: ItemOutcome.optional(),
    /** Only with `ask_user`: the choices offered to the user. */
    options: z.array(z.string()).max(OPTIONS_MAX).optional(),
    /** The mark that replaced the answer (SPEC 5, signal); `outcome` has its meaning. */
    signal: z.enum(['step_done', 'blocked', 'replan']).optional(),
    ...read,
  }),
  z.object({ type: z.literal('thought.rejected'), ...refused }),
  z.object({
    type: z.literal('replan.made'),
    status: ReplanStatus,
    plan,
    response: z.string().nullable(),
    /** Only with `done`, and only where the model gave it; absent: `completed`. */
    outcome: TaskOutcome.optional(),
    /** Only with `done`, and only in a task whose answer has a schema. */
    answer: ShapedAnswer.optional(),
    notes,
    catalogue,
    ...read,
  }),
  z.object({ type: z.literal('replan.rejected'), ...refused }),
  /** The model gave no answer, after a bounded number of retries. */
  z.object({ type: z.literal('model.unavailable'), effect: EffectNumber, reason: z.string() }),
  z.object({ type: z.literal('observation.recorded'), effect: EffectNumber, ...observed }),
  /** The results of actions that ran at the same time, in the order of the thought. */
  z.object({
    type: z.literal('observations.recorded'),
    effect: EffectNumber,
    observations: z.array(z.object(observed)),
  }),
  /** A server asks the user for something before it goes on with a call; `state` goes back to it unchanged. */
  z.object({
    type: z.literal('tool.asked'),
    effect: EffectNumber,
    tool: z.string(),
    input: z.string(),
    server: z.string(),
    requests: z.array(ToolRequest).min(1),
    state: z.string().optional(),
  }),
  z.object({ type: z.literal('verification.finished'), effect: EffectNumber, ok: z.boolean(), output: z.string() }),
  /** An effect was attempted `EFFECT_ATTEMPTS_MAX` times without an outcome. */
  z.object({ type: z.literal('effect.abandoned'), effect: EffectNumber, begins: z.number().int() }),
  /** The owner's quota of tokens or turns is used up; the effect did not start. */
  z.object({ type: z.literal('quota.exhausted'), effect: EffectNumber, reason: z.string() }),
  /** The running machine differs from the one that made the history, and replaying the history gives another state. */
  z.object({ type: z.literal('machine.changed'), from: z.string(), to: z.string(), reason: z.string() }),
  z.object({
    type: z.literal('answer.received'),
    turn_id: TurnId,
    text: z.string(),
    /** The user has signed in at this server of tools; the answer is the service's own. */
    signed_in: z.string().optional(),
    ...brought,
    ...sent,
  }),
  /** The user decided on the pending action by a structured decision, not by words. */
  z.object({ type: z.literal('decision.received'), turn_id: TurnId, decision: ApprovalDecision, ...brought, ...sent }),
  z.object({ type: z.literal('steer.received'), turn_id: TurnId, text: z.string(), ...brought, ...sent }),
  z.object({ type: z.literal('plan.edited'), turn_id: TurnId.nullable(), edits: z.array(PlanEdit).min(1), ...sent }),
  z.object({ type: z.literal('task.resumed'), turn_id: TurnId, ...brought, ...sent }),
  z.object({ type: z.literal('question.expired'), expired_at: z.iso.datetime() }),
  z.object({ type: z.literal('task.cancelled'), turn_id: TurnId.nullable(), ...sent }),
  /** A late outcome of an effect that no longer matters. Changes nothing and counts nothing. */
  z.object({ type: z.literal('result.superseded'), effect: EffectNumber, outcome: z.string() }),
]);
export type TaskEvent = z.infer<typeof TaskEvent>;
export type TaskEventType = TaskEvent['type'];
export type EventOf<Type extends TaskEventType> = Extract<TaskEvent, { type: Type }>;

/** A fact about a session outside any task. No machine sees it. */
export const SessionEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('reminder.due'),
    reminder_id: z.number().int(),
    /** The name of the tool that stores it. */
    subject: z.string(),
    subject_id: z.number().int(),
    text: z.string(),
    due_at: z.string(),
    late: z.boolean(),
  }),
  z.object({
    type: z.literal('goal.due'),
    goal_id: z.number().int(),
    goal: z.string(),
    due_at: z.string(),
    late: z.boolean(),
    /** The turn that it became; absent: it was skipped. */
    started_turn_id: TurnId.optional(),
    /** Why it was skipped: its previous turn or task is not over, or a limit or quota of its owner refuses it. */
    skipped: z.enum(['unfinished', 'refused']).optional(),
    /** The reason for the refusal. */
    reason: z.string().optional(),
  }),
  z.object({
    type: z.literal('session.forked'),
    from_session_id: SessionId,
    from_task_id: TaskId,
    at_seq: z.number().int(),
    /** Turns before the fork, for tasks that open in it later. */
    conversation: Conversation.optional(),
  }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;

const effectOf = <Type extends string, Params extends z.ZodType>(type: Type, params: Params) =>
  z.object({ effect: EffectNumber, type: z.literal(type), params });

/**
 * A side effect that the machine requests (SPEC 1), as data. Its outcome comes back as an event with the same number.
 */
export const Effect = z.discriminatedUnion('type', [
  effectOf('model.plan', z.object({ attempt: z.number().int() })),
  /** Asks the model what to do about the current item (`null`: an empty plan); `may` restricts its answer. */
  effectOf('model.thought', z.object({ item_id: z.string().nullable(), may: z.array(ThoughtStatus) })),
  /** Asks the model for the rest of the plan or the answer; `attempt` counts from 1 since the last accepted one. */
  effectOf('model.replan', z.object({ attempt: z.number().int() })),
  effectOf(
    'tool.call',
    z.object({
      tool: z.string(),
      input: z.string(),
      item_id: z.string().nullable(),
      executor: z.string(),
      /** The result to record without calling the tool. */
      refusal: z.string().optional(),
      /** The call goes on where its user was asked. */
      resumed: Resumed.optional(),
    }),
  ),
  /** Calls several read-only tools at the same time (SPEC 3, reads side by side). */
  effectOf(
    'tool.batch',
    z.object({
      calls: z.array(z.object({ tool: z.string(), input: z.string() })),
      item_id: z.string().nullable(),
      executor: z.string(),
    }),
  ),
  /** Runs the configured verifiers on what the tools wrote. */
  effectOf('verify.run', z.object({ attempt: z.number().int() })),
]);
export type Effect = z.infer<typeof Effect>;
export type EffectType = Effect['type'];
