import { z } from 'zod';
import { ApprovalVerdict, NextAction, PlanItem, ShapedAnswer, TaskOutcome } from './answer.ts';
import { By } from './by.ts';
import { ApprovalDecision } from './event.ts';
import { Feedback } from './feedback.ts';
import { AttachedFiles } from './file.ts';
import { SessionId } from './ids.ts';
import { Metadata, PauseReason, Phase, QuestionSubject, TaskState } from './task.ts';
import { ToolQuestionView } from './tool-question.ts';
import { Amount, Cost, Usage } from './usage.ts';

/** A turn's status; the last six say how it ended (SPEC 11). */
export const TurnStatus = z.enum(['queued', 'running', 'answered', 'asking', 'paused', 'failed', 'cancelled', 'ran']);
export type TurnStatus = z.infer<typeof TurnStatus>;

/**
 * The action that waits for a person's approval: the tool and its whole input (SPEC 3). A decision may name its `id`,
 * so that it never applies to another action.
 */
export const PendingApproval = z.object({
  id: z.string(),
  ...NextAction.shape,
  /** The action in words, by the tool's policy. `input` is what runs. */
  summary: ApprovalVerdict.shape.summary,
  /** Why a person is asked; absent: each call of the tool is asked about. */
  reason: ApprovalVerdict.shape.reason,
  /** Who may decide, such as `role:finance`; absent: the task's owner. */
  approvers: z.array(z.string()).optional(),
  /** False: never the task's owner. */
  self: z.literal(false).optional(),
});
export type PendingApproval = z.infer<typeof PendingApproval>;

/** A task as a reply shows it (SPEC 11). */
export const TaskView = z.object({
  id: z.string(),
  goal: z.string(),
  state: TaskState,
  phase: Phase,
  /** Items that ended in earlier plans, then the current plan; `current_plan_index` is an index into this list. */
  plan: z.array(PlanItem.pick({ id: true, step: true, status: true, executor: true, depends_on: true, result: true })),
  current_plan_index: z.number().int(),
  step_count: z.number().int(),
  step_limit: z.number().int(),
  /** Where its token budget ends; null: no limit. */
  token_limit: z.number().int().nullable(),
  successful_steps: z.number().int(),
  failed_steps: z.number().int(),
  awaiting_clarification: z.boolean(),
  /** The subject of its open question; absent: nothing is asked, or a version before this field asked it. */
  question_about: QuestionSubject.optional(),
  /** Choices of its open question; absent: none. */
  question_options: z.array(z.string()).optional(),
  needs_replan: z.boolean(),
  /** How the task ended; null while it is open, and for a cancelled one. */
  outcome: TaskOutcome.nullable(),
  pause_reason: PauseReason.nullable(),
  /** The answer that meets the `answer_schema` of its turn; absent where there is none. */
  answer: ShapedAnswer.optional(),
  /** Null where no action is pending. */
  approval: PendingApproval.nullable(),
  /** A tool's question to the user during its call; absent: none. The user may answer in words. */
  tool_question: ToolQuestionView.optional(),
  usage: Usage,
  /** Where its money budget ends; absent: no limit. */
  cost_limit: Amount.optional(),
  /** The task's cost so far, by the configured price list; absent where a price is not known (SPEC 9). */
  cost: Cost.optional(),
});
export type TaskView = z.infer<typeof TaskView>;

/** A turn as the API shows it: one user input and its reply (SPEC 11). */
export const TurnView = z.object({
  id: z.string(),
  session_id: SessionId,
  task_id: z.string().nullable(),
  /** `goal`: the service sent it, for a goal on a schedule. */
  kind: z.enum(['task', 'goal', 'command']),
  input: z.string(),
  /** The decision of a turn that made one; absent where its words decided. */
  decision: ApprovalDecision.optional(),
  metadata: Metadata.optional(),
  /** The files that the user sent; absent: none. */
  files: AttachedFiles.optional(),
  /** Who sent it; absent for a turn of an earlier version. */
  by: By.optional(),
  status: TurnStatus,
  /** For a turn that no task answers. */
  ok: z
    .literal(false)
    .optional()
    .meta({ description: 'Present, and false, only where a command failed or found nothing to do.' }),
  output: z.string().nullable(),
  /** The answer that meets the turn's `answer_schema`; absent where there is none. */
  answer: ShapedAnswer.optional(),
  question: z.string().nullable(),
  /** Choices of the question; an answer may be an option's number or its text. */
  options: z.array(z.string()).nullable(),
  /** The action that the question is about. Words or a `decision` answer it. */
  approval: PendingApproval.nullable(),
  /** The form, link or sign-in that the question is about; absent: it is about none. */
  tool_question: ToolQuestionView.optional(),
  task: TaskView.nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** The user's feedback on the reply; absent: none was given. */
  feedback: Feedback.optional(),
});
export type TurnView = z.infer<typeof TurnView>;

/** The structured answer of an answered turn, where its task has one. */
export const answerOf = (status: TurnStatus, task: TaskView | null): Pick<TurnView, 'answer'> =>
  status === 'answered' && task?.answer !== undefined ? { answer: task.answer } : {};

/** An effect for people: a tool with its input, or the kind of model call. */
export const PreviewedEffect = z.object({
  seq: z.number().int().meta({ description: 'The entry that asked for it.' }),
  effect_id: z.string(),
  type: z.string(),
  tool: z.string().nullable(),
  input: z.string().nullable().meta({ description: "The beginning of the tool's input." }),
  writes: z.boolean().meta({ description: 'The tool changes something.' }),
});
export type PreviewedEffect = z.infer<typeof PreviewedEffect>;

/** A preview of a fork at an entry, before it is made. */
export const ForkPreview = z.object({
  at: z.number().int(),
  state: TaskState,
  takes: z.enum(['answer', 'continue', 'steer']).meta({
    description: 'How the fork would read its `input`: as an answer to `question`, as "continue", or as a steer.',
  }),
  question: z.string().nullable(),
  options: z.array(z.string()).nullable().meta({ description: 'The choices that the question offers.' }),
  recalled: z
    .array(PreviewedEffect)
    .meta({ description: 'Done before `at`; the fork has the result and does not repeat it.' }),
  performed: z.array(PreviewedEffect).meta({
    description:
      'Open at `at`: performed again as soon as the fork is made, unless its `input` makes that unnecessary.',
  }),
  left: z.array(PreviewedEffect).meta({
    description: 'Done by the original after `at`. It is not undone; the fork decides anew and may do it again.',
  }),
});
export type ForkPreview = z.infer<typeof ForkPreview>;
