import { z } from 'zod';
import { PlanItemAnswer, TaskOutcome } from './answer.ts';
import { AnswerSchema } from './answer-schema.ts';
import { problemTypes } from './error-code.ts';
import { ApprovalDecision, PlanEdit } from './event.ts';
import { FeedbackCounts } from './feedback.ts';
import { TurnFile } from './file.ts';
import { SessionId, TaskId } from './ids.ts';
import {
  CONTEXT_CHARS_MAX,
  FACT_CHARS_MAX,
  INPUT_BYTES_MAX,
  METADATA_BYTES_MAX,
  PLAN_ITEMS_KEPT_MAX,
  PLAN_ITEMS_READ_MAX,
  QUESTION_SECONDS_MAX,
  STEP_CHARS_MAX,
  TURN_FILES_MAX,
  TURN_TOOLS_MAX,
} from './limits.ts';
import { RunValues } from './named-plan.ts';
import { CatalogueApproval, ConfirmPlan, Metadata, Phase, ReplanMode, TaskState } from './task.ts';
import { plainLine } from './text.ts';
import { PendingApproval, TaskView } from './turn-view.ts';
import { Cost } from './usage.ts';

/** The treatment of an input that arrives while a task of its session runs (SPEC 2). */
export const OnBusy = z.enum(['enqueue', 'reject', 'steer']);
export type OnBusy = z.infer<typeof OnBusy>;

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** An IANA time zone name that `Intl` knows. */
export const Timezone = z
  .string()
  .max(64, { abort: true })
  .refine(isZone, 'must be an IANA time zone, such as Europe/Berlin');

/** True for a text without lone surrogates, which could not be stored. */
const isWellFormed = (text: string): boolean => text.isWellFormed();
const ILL_FORMED = 'must be well-formed Unicode';

/** A user's text: an input, or the reason for a decision. */
export const UserText = z
  .string()
  .refine((input) => input.trim() !== '', 'must not be blank')
  .refine((input) => Buffer.byteLength(input) <= INPUT_BYTES_MAX, `must be at most ${INPUT_BYTES_MAX} bytes of UTF-8`)
  .refine(isWellFormed, ILL_FORMED);

const [Approve, ApproveAlways, Edit, Reject] = ApprovalDecision.options;
const reasoned = { reason: UserText.optional() };
/** `approval` is the id of the action that the decision is about: 409 if another action is pending. */
const about = { ...reasoned, approval: z.string().max(200).optional() };

/** A decision on the pending action, as a request states it. Only `edit` has an `input`. */
export const DecisionRequest = z.discriminatedUnion('type', [
  Approve.extend(about).strict(),
  ApproveAlways.extend(about).strict(),
  Edit.extend({ input: Edit.shape.input.refine(isWellFormed, ILL_FORMED), ...about }).strict(),
  Reject.extend(about).strict(),
]);

/** The body of `POST /v1/approvals/{id}/decision`: a decision on the action that the address names. */
export const ApprovalBody = z.discriminatedUnion('type', [
  Approve.extend(reasoned).strict(),
  ApproveAlways.extend(reasoned).strict(),
  Edit.extend({ input: Edit.shape.input.refine(isWellFormed, ILL_FORMED), ...reasoned }).strict(),
  Reject.extend(reasoned).strict(),
]);

const isShortJson = (value: object): boolean => {
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= METADATA_BYTES_MAX;
  } catch {
    // It nests too deep to be serialized.
    return false;
  }
};

const isPlanWellFormed = (plan: readonly PlanItemAnswer[]): boolean =>
  plan
    .flatMap((item) => (typeof item === 'string' ? item : Object.values(item).flat()))
    .every((text) => typeof text !== 'string' || isWellFormed(text));

/** A plan that a turn brings: items as a model writes them (SPEC 5). */
export const OwnPlan = z
  .array(PlanItemAnswer)
  .min(1, 'must have at least one item')
  .max(PLAN_ITEMS_KEPT_MAX, `must have at most ${PLAN_ITEMS_KEPT_MAX} items`)
  .refine(isPlanWellFormed, ILL_FORMED);
export type OwnPlan = z.infer<typeof OwnPlan>;

/** A turn's options for the task that it opens or continues (SPEC 11). Absent: as configured, or none. */
export const TurnOptions = z.object({
  /** `after_looking`: the plan is shown once reading tools have been called for it (SPEC 3). */
  confirm_plan: ConfirmPlan.optional(),
  /** The first plan of the task that the turn opens, in place of one by a model (SPEC 3). */
  plan: OwnPlan.optional(),
  /** False: the goal itself is the plan, without a model call (SPEC 3). */
  planning: z.boolean().optional(),
  /** False: the task opens without the session's conversation (SPEC 3). */
  conversation: z.boolean().optional(),
  replan: ReplanMode.optional(),
  /** False: only the first call of each model message is used (SPEC 3, chains). */
  chain: z.boolean().optional(),
  /** Tools that the task may call, by name, or by prefix with a trailing `*`. */
  tools: z
    .array(
      z.string().regex(/^[A-Za-z0-9_-]{0,64}\*?$/, 'must be the name of a tool, or the beginning of one followed by *'),
    )
    .max(TURN_TOOLS_MAX)
    .optional(),
  metadata: Metadata.refine(isShortJson, `must be at most ${METADATA_BYTES_MAX} bytes as JSON`).optional(),
  /** The calling program's words about its user. Prompts contain it as data. */
  context: z.string().max(CONTEXT_CHARS_MAX).refine(isWellFormed, ILL_FORMED).optional(),
  /** A JSON Schema that the answer must meet, as the turn's `answer`. */
  answer_schema: AnswerSchema.optional(),
  /** Seconds after which an unanswered question expires (SPEC 6). */
  expires_in: z.number().int().min(1).max(QUESTION_SECONDS_MAX).optional(),
});
export type TurnOptions = z.infer<typeof TurnOptions>;

/** Where a finished turn is posted. */
export const CallbackUrl = z
  .string()
  .max(2_048, { abort: true })
  .check(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }));

/** An agent's name, as a turn gives it. */
export const AgentChoice = z.string().min(1).max(64);

const turnFields = {
  input: UserText.optional(),
  /** Decides on the pending action, in place of `input` (SPEC 3). */
  decision: DecisionRequest.optional(),
  /**
   * The agent that the session works with. Its first turn may name one, else it gets the default; a later turn can only
   * repeat it.
   */
  agent: AgentChoice.optional(),
  on_busy: OnBusy.optional(),
  timezone: Timezone.optional(),
  ...TurnOptions.shape,
  /** Files that the user sends with their words, or instead of them (SPEC 11). */
  files: z
    .array(TurnFile)
    .min(1, 'must have at least one file')
    .max(TURN_FILES_MAX, `must have at most ${TURN_FILES_MAX} files`)
    .optional(),
  callback_url: CallbackUrl.optional(),
};

/** The body of `POST /v1/sessions/{session_id}/turns`: an `input`, `files`, or a `decision`, with options (SPEC 11). */
export const TurnRequest = z
  .strictObject(turnFields)
  .refine(({ input, decision, files }) => input !== undefined || decision !== undefined || files !== undefined, {
    error: 'is missing: a turn has an "input" or a "decision"',
    path: ['input'],
  })
  .refine(({ input, decision }) => input === undefined || decision === undefined, {
    error: 'cannot be combined with "input"',
    path: ['decision'],
  })
  .refine(({ files, decision }) => files === undefined || decision === undefined, {
    error: 'cannot be combined with "decision"',
    path: ['files'],
  })
  .refine(({ plan, input, decision }) => plan === undefined || input !== undefined || decision !== undefined, {
    error: 'needs a goal as its "input"',
    path: ['plan'],
  })
  .refine(({ plan, decision }) => plan === undefined || decision === undefined, {
    error: 'cannot be combined with "decision"',
    path: ['plan'],
  })
  .meta({ anyOf: [{ required: ['input'] }, { required: ['files'] }, { required: ['decision'] }] });
export type TurnRequest = z.infer<typeof TurnRequest>;

const { plan: _plan, planning: _planning, ...runOptions } = TurnOptions.shape;

/** The body of `POST …/plans/{plan_id}/run`: values for its placeholders, and the options of the turn that it becomes. */
export const RunNamedPlan = z.strictObject({
  values: RunValues.optional(),
  agent: AgentChoice.optional(),
  on_busy: OnBusy.optional(),
  timezone: Timezone.optional(),
  ...runOptions,
  callback_url: CallbackUrl.optional(),
});
export type RunNamedPlan = z.infer<typeof RunNamedPlan>;

/** The data of a `state` message: a task's state from one trace entry on, in the same words as its view (SPEC 11). */
export const StateChange = z.object({ task_id: TaskId, state: TaskState, phase: Phase });
export type StateChange = z.infer<typeof StateChange>;

/** Edits in one request: more than a person makes at once. */
const PLAN_EDITS_MAX = 50;

const [AddItem, DropItem, MoveItem, MarkItem] = PlanEdit.options;
const NewStep = AddItem.shape.step.max(STEP_CHARS_MAX).refine(isWellFormed, ILL_FORMED);

/**
 * The body of `PATCH /v1/tasks/{task_id}/plan`: edits that apply in order, all or none. Indexes refer to `plan` of the
 * task's view.
 */
export const PlanPatch = z.strictObject({
  edits: z
    .array(
      z.discriminatedUnion('kind', [
        AddItem.extend({ step: NewStep }).strict(),
        DropItem.strict(),
        MoveItem.strict(),
        MarkItem.strict(),
      ]),
    )
    .min(1)
    .max(PLAN_EDITS_MAX),
});
export type PlanPatch = z.infer<typeof PlanPatch>;

/** The statuses of a step in `plan.json` (SPEC 10). */
export const FileStepStatus = z.enum(['pending', 'running', 'completed', 'failed']);
export type FileStepStatus = z.infer<typeof FileStepStatus>;

/** A step of an edited `plan.json`: of the plan, by its `id`, or a new one. */
const EditedStep = z.object({
  id: z.string().max(200).optional(),
  description: NewStep,
  /** Absent: unchanged. */
  status: FileStepStatus.optional(),
});
export type EditedStep = z.infer<typeof EditedStep>;

/** A `plan.json` that is sent back as an edit of its task's plan. Its other fields count for nothing. */
export const EditedPlanFile = z.object({
  id: z.string().optional(),
  steps: z
    .array(EditedStep)
    .max(PLAN_ITEMS_READ_MAX)
    .refine((steps) => {
      const ids = steps.flatMap(({ id }) => id ?? []);
      return new Set(ids).size === ids.length;
    }, 'has an id twice'),
});
export type EditedPlanFile = z.infer<typeof EditedPlanFile>;

/** The states in which a task waits for its owner (SPEC 11). */
export const WaitingState = TaskState.extract(['awaiting_user', 'paused']);
export type WaitingState = z.infer<typeof WaitingState>;

/** A task that waits for its owner, with everything needed to answer it by an input to its session (SPEC 11). */
export const WaitingTask = z.object({
  session_id: SessionId,
  task: TaskView,
  /** The task's question; null for a paused task. */
  question: z.string().nullable(),
  since: z.iso.datetime(),
  /** When the question expires; null: never. */
  expires_at: z.iso.datetime().nullable(),
});
export type WaitingTask = z.infer<typeof WaitingTask>;

/** An action of anybody's task that waits for an approver: all that they see of the task (SPEC 3, approvers). */
export const ApprovalCard = z.object({
  ...PendingApproval.pick({ id: true, tool: true, input: true, summary: true, reason: true }).shape,
  /** Whose task it is. */
  owner: z.string(),
  since: z.iso.datetime(),
  /** When the question expires; null: never. */
  expires_at: z.iso.datetime().nullable(),
});
export type ApprovalCard = z.infer<typeof ApprovalCard>;

/** A session as the API shows it: its active task and its waiting turns. */
export const SessionView = z.object({
  session_id: SessionId,
  /** The owner's title, or else the first input that opened a task, as one line; null: neither exists. */
  title: z.string().nullable(),
  /** The session, task and entry that it was forked from; null: it is not a fork. */
  forked_from: z.object({ session_id: SessionId, task_id: TaskId, seq: z.number().int() }).nullable(),
  /** The agent that works in it; null: none was chosen yet, or the service has one agent, without a name. */
  agent: z.string().nullable(),
  timezone: z.string(),
  phase: Phase.nullable(),
  active_task: TaskView.nullable(),
  /** The task that was opened, resumed or settled most recently, and its state. */
  last_task: z
    .object({
      id: TaskId,
      state: TaskState,
      outcome: TaskOutcome.nullable(),
      /** Its cost so far; absent where a price is not known. */
      cost: Cost.optional(),
    })
    .nullable(),
  /** The known cost of its model calls, of all its tasks; absent where none is known, or where there are two currencies. */
  cost: Cost.optional(),
  /** Where a searched word is in an input or answer: the words around it, as one line. Absent elsewhere. */
  hit: z.string().optional(),
  queue: z.array(z.object({ turn_id: z.string(), input: z.string(), created_at: z.iso.datetime() })),
  /** How many of its replies were rated up and down; absent: none. */
  feedback: FeedbackCounts.optional(),
  last_seq: z.number().int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type SessionView = z.infer<typeof SessionView>;

/** A JSON Schema, draft 2020-12, as plain data. */
export const JsonSchemaView = z.record(z.string(), z.unknown());

/** A tool as the API shows it (SPEC 11). */
export const ToolView = z.object({
  name: z.string(),
  description: z.string(),
  /** The command lines that it takes, or the JSON Schema of its input with shortened texts. */
  usage: z.string(),
  input_schema: JsonSchemaView.nullable().meta({
    description: 'The JSON Schema of its input, as models get it; null where it takes a command line.',
  }),
  for_models: z.boolean().meta({ description: 'Models can call it; if false, only users can, by command.' }),
  about_tokens: z.number().int().meta({ description: 'Approximate number of tokens that it adds to each prompt.' }),
  effect: z.enum(['transactional', 'idempotent', 'at_most_once']),
  writes: z.boolean(),
  /** Who has to approve each call: `true`, a person; `policy`, a function of the tool, or a person whom it asks. */
  approval: CatalogueApproval,
  /** Who may decide, such as `role:finance`; absent: the task's owner. */
  approvers: z.array(z.string()).optional(),
  /** Its results come from outside, where anybody may have written them. */
  is_untrusted: z.boolean(),
  /** Names of the executors that have it. */
  executors: z.array(z.string()),
  source: z.enum(['built_in', 'config', 'mcp', 'a2a']),
  /** The MCP server that provides it, or the A2A agent that it is. */
  server: z.string().nullable(),
});
export type ToolView = z.infer<typeof ToolView>;

/** An MCP server, or an A2A agent that is a tool, as the API shows it. */
export const ToolServerView = z.object({
  name: z.string(),
  kind: z.enum(['mcp', 'a2a']),
  /** An A2A agent is `connected` once its card was read. */
  state: z.enum(['connecting', 'connected', 'failed', 'sign_in']),
  /** Why it is not connected and is being retried; for a connected server, which of its tools cannot be used. */
  reason: z.string().nullable(),
});
export type ToolServerView = z.infer<typeof ToolServerView>;

/** A file of a session (SPEC 11). */
export const FileView = z.object({
  path: z.string(),
  /** In bytes. */
  size: z.number().int(),
  modified_at: z.iso.datetime(),
});
export type FileView = z.infer<typeof FileView>;

/** One of its owner's todos (SPEC 8, 11). */
export const TodoView = z.object({
  id: z.number().int(),
  text: z.string(),
  done: z.boolean(),
  done_at: z.iso.datetime().nullable(),
  /** Null: not due at any time. For a todo that is due on a day, the beginning of that day. */
  due_at: z.iso.datetime().nullable(),
  due_date: z.iso.date().nullable().meta({ description: 'The day, for a todo that is due on a day without a time.' }),
  priority: z.number().int(),
  tags: z.array(z.string()),
});
export type TodoView = z.infer<typeof TodoView>;

/** A fact remembered for its owner across sessions (SPEC 8, 11). */
export const FactView = z.object({ id: z.number().int(), text: z.string(), created_at: z.iso.datetime() });
export type FactView = z.infer<typeof FactView>;

/** The body of `POST /v1/memory`. Runs of spaces and line breaks become one space. */
export const FactRequest = z.strictObject({
  text: z
    .string()
    .max(FACT_CHARS_MAX)
    .refine(isWellFormed, ILL_FORMED)
    .transform((text) => plainLine(text))
    .refine((text) => text !== '', 'must not be blank'),
});

/** How an event or a goal on a schedule repeats. */
export const repetition = {
  timezone: z.string().meta({ description: 'The time zone of its repetition.' }),
  rule: z.string().nullable().meta({ description: 'An RRULE (RFC 5545) without COUNT, where it repeats by a rule.' }),
  interval_minutes: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The interval in minutes, where it repeats at one.' }),
  times: z.number().int().nullable().meta({ description: 'Total number of times; null: without end.' }),
};

/** An event on its owner's schedule (SPEC 8, 11). */
export const ScheduleEventView = z.object({
  id: z.number().int(),
  title: z.string(),
  start: z.iso.datetime().meta({ description: 'The time of the first occurrence.' }),
  end: z.iso.datetime(),
  ...repetition,
  repeats: z.boolean().meta({ description: 'False: it takes place only once.' }),
});
export type ScheduleEventView = z.infer<typeof ScheduleEventView>;

/** The body of `POST /v1/replay`'s reply: the trace replays, or the first difference (SPEC 12). */
export const ReplayResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    entries: z.number().int(),
    unchained: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Entries that no chain holds: they are from before there were chains. Absent: none.' }),
    skills_changed: z
      .array(z.string())
      .optional()
      .meta({ description: 'Skills that are others now than when a task of the trace opened. Absent: none.' }),
  }),
  z.object({ ok: z.literal(false), seq: z.number().int(), expected: z.unknown(), actual: z.unknown() }),
]);

/** The `type` of a problem, for programs that handle errors (SPEC 11). */
export const ProblemType = z.enum(problemTypes);

/** An error on the wire: RFC 9457 problem details with a stable `type` slug. */
export const Problem = z.object({
  type: ProblemType,
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string().optional(),
  request_id: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;
