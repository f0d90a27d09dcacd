import { z } from 'zod';
import { NextAction, PlanItem, ShapedAnswer, TaskOutcome } from './answer.ts';
import { ApprovalDecision } from './event.ts';
import { SessionId } from './ids.ts';
import { Metadata, PauseReason, Phase, TaskState } from './task.ts';
import { Amount, Cost, Usage } from './usage.ts';

/** Where a turn is: the last six are how it ended (SPEC 11). */
export const TurnStatus = z.enum(['queued', 'running', 'answered', 'asking', 'paused', 'failed', 'cancelled', 'ran']);
export type TurnStatus = z.infer<typeof TurnStatus>;

/** The action that waits for a person's yes: the tool and its whole input (SPEC 3). A decision may name its `id`, so that it meets no other one. */
export const PendingApproval = z.object({ id: z.string(), ...NextAction.shape });

/** A task as a reply shows it (SPEC 11). */
export const TaskView = z.object({
  id: z.string(),
  goal: z.string(),
  state: TaskState,
  phase: Phase,
  /** The items that ended in earlier plans, then the current plan; `current_plan_index` counts in this list. */
  plan: z.array(PlanItem.pick({ id: true, step: true, status: true, executor: true, depends_on: true, result: true })),
  current_plan_index: z.number().int(),
  step_count: z.number().int(),
  step_limit: z.number().int(),
  /** Where its budget of tokens ends; null: it has none. */
  token_limit: z.number().int().nullable(),
  successful_steps: z.number().int(),
  failed_steps: z.number().int(),
  awaiting_clarification: z.boolean(),
  needs_replan: z.boolean(),
  /** How the task ended; null while it is open, and for a cancelled one. */
  outcome: TaskOutcome.nullable(),
  pause_reason: PauseReason.nullable(),
  /** The answer that meets the `answer_schema` of its turn; only where it was answered so. */
  answer: ShapedAnswer.optional(),
  /** Null where no action waits. */
  approval: PendingApproval.nullable(),
  usage: Usage,
  /** Where its budget of money ends; absent: it has none. */
  cost_limit: Amount.optional(),
  /** The task's cost so far, by the price list of the configuration; absent where a price is not known (SPEC 9). */
  cost: Cost.optional(),
});
export type TaskView = z.infer<typeof TaskView>;

/** A turn as the API shows it: one user input and the reply to it (SPEC 11). */
export const TurnView = z.object({
  id: z.string(),
  session_id: SessionId,
  task_id: z.string().nullable(),
  /** `goal`: the service sent it, for a goal on a schedule. */
  kind: z.enum(['task', 'goal', 'command']),
  input: z.string(),
  /** Of a turn that decided on an action; absent where its words did. */
  decision: ApprovalDecision.optional(),
  metadata: Metadata.optional(),
  status: TurnStatus,
  /** Of a turn that no task answers. */
  ok: z
    .literal(false)
    .optional()
    .meta({ description: 'Only there, and false, where a command failed or found nothing to do.' }),
  output: z.string().nullable(),
  /** The answer that meets the turn's `answer_schema`; only where it is answered so. */
  answer: ShapedAnswer.optional(),
  question: z.string().nullable(),
  /** Choices of the question; an answer may be an option's number or its text. */
  options: z.array(z.string()).nullable(),
  /** The action that the question is about; answered by words or by a `decision`. */
  approval: PendingApproval.nullable(),
  task: TaskView.nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
});
export type TurnView = z.infer<typeof TurnView>;

/** The answer of a turn that is answered, where its task has one that meets a schema. */
export const answerOf = (status: TurnStatus, task: TaskView | null): Pick<TurnView, 'answer'> =>
  status === 'answered' && task?.answer !== undefined ? { answer: task.answer } : {};

/** An effect for people: a tool with its input, or a kind of question to the model. */
export const PreviewedEffect = z.object({
  seq: z.number().int().meta({ description: 'The entry that asked for it.' }),
  effect_id: z.string(),
  type: z.string(),
  tool: z.string().nullable(),
  input: z.string().nullable().meta({ description: "The beginning of the tool's input." }),
  writes: z.boolean().meta({ description: 'It is a tool that changes something.' }),
});
export type PreviewedEffect = z.infer<typeof PreviewedEffect>;

/** A preview of a fork at an entry, before it is made. */
export const ForkPreview = z.object({
  at: z.number().int(),
  state: TaskState,
  takes: z
    .enum(['answer', 'continue', 'steer'])
    .meta({ description: 'What its `input` would be: an answer to `question`, "continue", or a steer.' }),
  question: z.string().nullable(),
  options: z
    .array(z.string())
    .nullable()
    .meta({ description: 'What the question may be answered with, among others.' }),
  recalled: z
    .array(PreviewedEffect)
    .meta({ description: 'Done before `at`, with a result that the fork has too: not done again.' }),
  performed: z.array(PreviewedEffect).meta({
    description: 'Open at `at`: done again as soon as the fork is made, unless its `input` makes it needless.',
  }),
  left: z.array(PreviewedEffect).meta({
    description: 'What the original did after `at`: the fork decides anew, and may do it again. It is not undone.',
  }),
});
export type ForkPreview = z.infer<typeof ForkPreview>;
