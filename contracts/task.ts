import { z } from 'zod';
import { PlanItem, ShapedAnswer, StoredThought, TaskOutcome } from './answer.ts';
import { PendingCalls } from './calls.ts';
import { AttachedFiles } from './file.ts';
import { EffectNumber, SessionId, TaskId } from './ids.ts';
import {
  CLARIFICATIONS_KEPT,
  FACT_CHARS_MAX,
  FACTS_MAX,
  OBSERVATION_CHARS_MAX,
  OBSERVATIONS_KEPT,
  OPTIONS_MAX,
  PAST_ITEMS_KEPT,
  PLAN_ITEMS_KEPT_MAX,
} from './limits.ts';
import { TaskLog } from './log.ts';
import { PendingToolQuestion } from './tool-question.ts';
import { Amount, Cost, NO_USAGE, Usage } from './usage.ts';

/**
 * Who approves a tool's calls (SPEC 3, approval): true, a person each of them; `policy`, a function that decides or asks
 * a person; `after_untrusted`, a person once results from outside are in the task.
 */
export const CatalogueApproval = z.union([z.boolean(), z.enum(['policy', 'after_untrusted'])]);
export type CatalogueApproval = z.infer<typeof CatalogueApproval>;

/** A task's tools and executors by name, fixed when it opens so that its history replays anywhere. */
export const Catalogue = z.object({
  /**
   * Every tool: its name, whether it changes things that verifiers should check, and who approves each call (absent:
   * nobody has to).
   */
  tools: z.array(
    z.object({
      name: z.string(),
      writes: z.boolean(),
      approval: CatalogueApproval.optional(),
      /** Its results come from outside, where anybody may have written them; absent: they do not. */
      source: z.literal('untrusted').optional(),
      /** Who may decide about its actions; absent: the task's owner. */
      approvers: z.array(z.string()).optional(),
      /** False: the task's owner may not, whoever they are. */
      self: z.literal(false).optional(),
      /** Its input is JSON by its own schema; absent: a command line. */
      takes_json: z.boolean().optional(),
      /** It reads only the task's own results, so that restricting the tools never removes it. */
      always: z.boolean().optional(),
      /** It only reads, outside of the store, so that calls of it may run at the same time (SPEC 3). */
      side_by_side: z.boolean().optional(),
    }),
  ),
  /** Executors by name; `tools` null: every tool. `default` is always among them. */
  executors: z.array(z.object({ name: z.string(), tools: z.array(z.string()).nullable() })),
});
export type Catalogue = z.infer<typeof Catalogue>;

const count = (max: number) => z.number().int().min(1).max(max);

/** The limits that a task opens with and keeps; SPEC 13 has the defaults. */
export const TaskLimits = z.object({
  /** Budget steps that a task gets at its start and at each `continue`. */
  max_steps: count(10_000).default(60),
  /** Budget steps that a task can get in total. Beyond it the task fails. */
  max_total_steps: count(100_000).default(200),
  /** Failures in a row that restrict the thought, and rejected replans in a row that pause the task. */
  failure_limit: count(100).default(3),
  /** Rejected plans after the first before the goal itself becomes the plan. */
  plan_retries: z.number().int().min(0).max(100).default(2),
  /** Questions that the thoughts of one task may ask. */
  max_questions: z.number().int().min(0).max(1_000).default(6),
  /** Longest plan, in items. */
  max_plan_items: count(PLAN_ITEMS_KEPT_MAX).default(12),
  /** Inner rounds on one item before the thought is restricted. */
  max_rounds_per_item: count(10_000).default(12),
  /** Replans of one task before it pauses. */
  max_replans: count(10_000).default(100),
  /** Failed verifications before the task pauses. */
  verify_limit: count(100).default(2),
  /** Tokens that a task's model calls may use, at its start and at each `continue`; null: unlimited. */
  max_task_tokens: count(1_000_000_000).nullable().default(null),
  /**
   * The largest cost of a task's model calls, in the price list's currency, at its start and at each `continue`;
   * absent: unlimited.
   */
  max_task_cost: Amount.optional(),
  /** Tokens of a prompt beyond which later prompts omit the results of the oldest actions. */
  prompt_tokens: count(10_000_000).default(60_000),
});
export type TaskLimits = z.infer<typeof TaskLimits>;

/** The limits of a task as stored. Earlier builds allowed longer plans. */
export const StoredTaskLimits = TaskLimits.extend({ max_plan_items: z.number().int().min(1) });

/** Most earlier turns that a task opens with: more than a person refers back to (SPEC 3). */
export const CONVERSATION_TURNS_MAX = 10;

/** Longest text of one turn in it, in characters: what a reference needs, not the work. */
export const CONVERSATION_TEXT_CHARS_MAX = 2_000;

/** Characters of all its texts: every prompt of the task contains them. */
export const CONVERSATION_CHARS_MAX = 8_000;

/** One earlier turn of the session: the user's input and the reply. */
export const ConversationTurn = z.object({
  said: z.string().max(CONVERSATION_TEXT_CHARS_MAX),
  answered: z.string().max(CONVERSATION_TEXT_CHARS_MAX),
  /** The files that the user sent with it; absent: none. */
  files: AttachedFiles.optional(),
});
export type ConversationTurn = z.infer<typeof ConversationTurn>;

/** The session's last finished turns with a task, oldest first. */
export const Conversation = z.array(ConversationTurn).max(CONVERSATION_TURNS_MAX);
export type Conversation = z.infer<typeof Conversation>;

/** Facts remembered for the owner across sessions, newest first (SPEC 8). */
export const Memory = z.array(z.object({ id: z.number().int(), text: z.string().max(FACT_CHARS_MAX) })).max(FACTS_MAX);
export type Memory = z.infer<typeof Memory>;

/**
 * The result of one action, or a finding of the machine (SPEC 1). Its text comes from tools and the web: not trusted.
 */
export const Observation = z.object({
  /** The plan item that it belongs to; null for an empty plan and for findings about the whole task. */
  item_id: z.string().nullable(),
  source: z.enum(['tool', 'deadlock', 'verification']),
  tool: z.string(),
  input: z.string(),
  /** The thought's input, where the user replaced it with another (SPEC 3, approval). */
  instead_of: z.string().optional(),
  ok: z.boolean(),
  result: z.string().max(OBSERVATION_CHARS_MAX),
  /**
   * Characters left out between the beginning and the end of the result. The session's files have it whole (SPEC 7).
   */
  left_out: z.number().int().min(1).optional(),
  /** Images and files that the tool gave; absent: none. */
  files: AttachedFiles.optional(),
  /** The effect that produced it; absent for findings of the machine, and in data of earlier builds. */
  effect: EffectNumber.optional(),
  /** Its position among the results of an effect that made several calls. */
  at: z.number().int().min(0).optional(),
});
export type Observation = z.infer<typeof Observation>;

/** The result of a tool. `ok` false is a failed observation, never an exception. */
export const ToolResult = z.object({ ok: z.boolean(), result: z.string() });
export type ToolResult = z.infer<typeof ToolResult>;

/** A task's state, as the API shows it (SPEC 3). */
export const TaskState = z.enum([
  'planning',
  'replanning',
  'thinking',
  'acting',
  'verifying',
  'awaiting_user',
  'paused',
  'done',
  'failed',
  'cancelled',
]);
export type TaskState = z.infer<typeof TaskState>;

/** The task's state for people, in fewer words (SPEC 3). */
export const Phase = z.enum(['intake', 'planning', 'executing', 'recovering', 'blocked', 'verifying', 'done']);
export type Phase = z.infer<typeof Phase>;

/** Why a task is paused (SPEC 6). */
export const PauseReason = z.enum([
  'step_limit',
  'model_unavailable',
  'contract_failure',
  'deadlock',
  'verification_failed',
  'replan_limit',
  'crash_loop',
  'machine_changed',
  'budget_exhausted',
  'question_expired',
]);
export type PauseReason = z.infer<typeof PauseReason>;

/** Starting values in a new task. */
const counter = z.number().int().min(0).default(0);
const no = z.boolean().default(false);
const texts = z.array(z.string()).default([]);
const noText = z.string().nullable().default(null);

/** Whether a replan follows every completed item, or only where there is something to replan (SPEC 3). */
export const ReplanMode = z.enum(['always', 'when_needed']);
export type ReplanMode = z.infer<typeof ReplanMode>;

/** Longest goal of a task in another task's reply, in characters. */
export const PAUSED_GOAL_CHARS_MAX = 160;

/** A paused task, as named in the reply of the task that left it behind. */
export const PausedTask = z.object({ task_id: TaskId, goal: z.string().max(PAUSED_GOAL_CHARS_MAX) });

/** Whether a person agrees to the plan: before anything else runs, or `after_looking`, when reading tools have been called. */
export const ConfirmPlan = z.union([z.boolean(), z.literal('after_looking')]);
export type ConfirmPlan = z.infer<typeof ConfirmPlan>;

/**
 * The subject of an open question: the model's own question, failures in a row, the plan, an action, a plan that was
 * edited while an action waited, or a tool's question in the middle of its call.
 */
export const QuestionSubject = z.enum(['thought', 'failures', 'confirm_plan', 'approval', 'edited_plan', 'tool']);

/** A JSON object from the program that sent the turn. Stored and passed on unchanged; no model sees it. */
export const Metadata = z.record(z.string(), z.unknown());
export type Metadata = z.infer<typeof Metadata>;

/**
 * Everything that a task knows: its context and stored snapshot (SPEC 3). Every field is bounded, so it never grows
 * with a session. Defaults are those of a new task.
 */
export const TaskContext = z.object({
  task_id: TaskId,
  session_id: SessionId,
  goal: z.string(),
  /** The agent that works on it; absent: the service's only one, or its default. */
  agent: z.string().optional(),
  language: z.enum(['en', 'zh']),
  limits: StoredTaskLimits,
  catalogue: Catalogue,
  confirm_plan: ConfirmPlan,
  replan: ReplanMode.default('always'),
  /** More than the first call of a message may be used (SPEC 3, chains). */
  chain: z.boolean().default(true),
  /** Something has failed since the last replan. */
  failed_since_replan: no,
  /** The answer to an approval was neither yes nor no and counted as no. The next reply says so. */
  taken_as_no: no,
  /** The question that had expired when the goal came, for the next reply; null: none. */
  expired_question: noText,
  /** The paused task that the goal left behind, for the next reply; null: none. */
  paused_task: PausedTask.nullable().default(null),
  /** The user agreed to the plan, so it is not shown for confirmation again. */
  plan_confirmed: no,
  planning: z.boolean(),
  verifies: z.boolean(),
  conversation: Conversation,
  memory: Memory.default([]),
  /** Tools that the task may call, by name, or by prefix with a trailing `*`; null: every tool. */
  tools: z.array(z.string()).nullable().default(null),
  /** From the newest turn of the task that had any. */
  metadata: Metadata.default({}),
  /** The `context` of the newest turn that had one; null: none. */
  background: z.string().nullable().default(null),
  /** The JSON Schema that the answer must meet, from the newest turn that had one; null: none. */
  answer_schema: z.record(z.string(), z.unknown()).nullable().default(null),

  plan_initialized: no,
  plan_items: z.array(PlanItem).default([]),
  /** Completed and blocked items of this plan and of earlier ones, oldest first (SPEC 3). */
  past_items: z.array(PlanItem).max(PAST_ITEMS_KEPT).default([]),
  /** Earlier items that were blocked or dropped. An item that depends on one can never be picked. */
  abandoned_items: texts,
  current_plan_index: counter,
  awaiting_clarification: no,
  /** The subject of the open question in `awaiting_user`; null elsewhere. */
  awaiting: QuestionSubject.nullable().default(null),
  /** The subject of the question that expired and is asked again at "continue"; null: none. */
  expired: QuestionSubject.nullable().default(null),
  expires_in: z.number().int().min(1).nullable().default(null),
  /** Tools that need approval and that the user approved for the whole task (SPEC 3). */
  approved_tools: texts,
  /** The open action's input as the thought gave it, where the user edited it; null elsewhere. */
  replaced_input: noText,
  /** The call whose server asks the user, or goes on with their answers; null: none. */
  tool_question: PendingToolQuestion.nullable().default(null),
  /** Questions that tools have asked, so that each has an id of its own. */
  tool_questions: counter,
  /** The first tool whose results from outside are in the task; null: none are. */
  exposed: noText,
  needs_replan: no,
  /** A steer arrived after the open replan or verification was asked for, so its `done` cannot end the task. */
  steered: no,
  last_thought_snapshot: StoredThought.nullable().default(null),
  observations: z.array(Observation).max(OBSERVATIONS_KEPT).default([]),
  step_count: counter,
  step_limit: z.number().int().min(0),
  successful_steps: counter,
  failed_steps: counter,
  consecutive_failures: counter,
  /** An item was blocked or a verification failed, and no tool, item or verification has succeeded since. */
  is_recovering: no,
  /** The reasons behind `consecutive_failures`, oldest first, for the question that lists them. */
  recent_failures: texts,
  clarification_history: z
    .array(
      z.object({
        question: z.string().nullable(),
        /** Choices of the question, in the order shown; absent: none. */
        options: z.array(z.string()).max(OPTIONS_MAX).optional(),
        text: z.string(),
      }),
    )
    .max(CLARIFICATIONS_KEPT)
    .default([]),
  last_ask_user_question: noText,
  /** Choices of the last question. The user may always answer otherwise. */
  question_options: z.array(z.string()).max(OPTIONS_MAX).default([]),
  pending_final_response: noText,
  /** The structured answer beside it, which meets `answer_schema`. */
  pending_answer: ShapedAnswer.nullable().default(null),
  /** How the task ended, or will end with `pending_final_response`; null before that, and for a cancelled task. */
  outcome: TaskOutcome.nullable().default(null),
  pause_reason: PauseReason.nullable().default(null),
  /** The reason for the pause, as its source reports it: a model's error, a verifier's output. */
  pause_detail: noText,
  usage: Usage.default(NO_USAGE),
  /** The tokens of every call are known. Only then `usage` is complete. */
  is_usage_known: z.boolean().default(true),
  /** The cost of all calls so far; null: none had a price yet. */
  cost: Cost.nullable().default(null),
  /** Every call that used tokens had a price, all in one currency. Only then `cost` is complete. */
  is_cost_known: z.boolean().default(true),
  /** The user's files that the model could not look at, and whether a reply has said so. */
  unseen_files: z.array(z.object({ path: z.string(), is_said: z.boolean() })).default([]),
  /** Where the task's token budget ends; null: no limit (SPEC 4). */
  token_limit: z.number().int().min(0).nullable(),
  /** Where its money budget ends; null: no limit. */
  cost_limit: Amount.nullable().default(null),

  plan_failures: counter,
  replan_failures: counter,
  replans: counter,
  deadlocks_in_a_row: counter,
  verify_failures: counter,
  questions_asked: counter,
  /** Inner rounds since the task began, and on the item in `rounds_item_id`. */
  iteration_count: counter,
  rounds: counter,
  rounds_item_id: noText,
  /** All rounds on that item. Unlike `rounds`, which is limited, an answer or a resume does not reset it. */
  item_rounds: counter,
  /** Identical actions with identical results in a row on one item. */
  repeats: counter,
  wrote: no,
  /** Notes on the machine's changes to a model's answer: a shortened plan, an unknown executor. */
  notes: texts,
  effects_requested: counter,
  /** The number of the effect that has no outcome yet. */
  open_effect: EffectNumber.nullable().default(null),
  items_numbered: counter,
  /** The pending calls of the model's newest message; null: there are none. */
  said: PendingCalls.nullable().default(null),
  /** The task's history as prompts tell it; null in tasks stored by an earlier build, until their next event. */
  log: TaskLog.nullable().default(null),
  /** Prompts omit the results of effects below this number, as prompts with them were too long. */
  results_from: counter,
});
export type TaskContext = z.infer<typeof TaskContext>;

/** A task that is settled or between two effects: the machine's whole state, as stored (SPEC 7). */
export const TaskSnapshot = z.object({ state: TaskState, context: TaskContext });
export type TaskSnapshot = z.infer<typeof TaskSnapshot>;

const ENDED: readonly TaskState[] = ['done', 'failed', 'cancelled'];

/** True for a task that has ended. */
export const isEnded = (state: TaskState): boolean => ENDED.includes(state);

/** True for a task without an open effect: it waits for the user, is paused, or has ended. */
export const isSettled = (state: TaskState): boolean =>
  state === 'awaiting_user' || state === 'paused' || isEnded(state);
