import { z } from 'zod';
import { answerRules } from './answer-rules.ts';
import { ItemId } from './ids.ts';
import {
  ACTIONS_AT_ONCE_MAX,
  OPTION_CHARS_MAX,
  OPTIONS_MAX,
  PLAN_ITEMS_READ_MAX,
  QUESTION_CHARS_MAX,
  REASON_CHARS_MAX,
  RESPONSE_CHARS_MAX,
  STEP_CHARS_MAX,
  SUMMARY_CHARS_MAX,
  TOOL_INPUT_CHARS_MAX,
} from './limits.ts';
import { isBlank } from './text.ts';

type Rules = typeof answerRules;

/** Gives a refinement the English text of a rule, with its name and `args`, so that every language can show it. */
export const rule = <Name extends keyof Rules>(name: Name, ...args: Parameters<Rules[Name]>) => {
  const message = (answerRules[name] as (...given: string[]) => string)(...args);
  return { message, params: { rule: name, args } };
};

/** Reads an optional text; null, an absent value and the empty string all become undefined (SPEC 5). */
const absentIfEmpty = (text: z.ZodString) =>
  text
    .nullish()
    .transform((value) => (isBlank(value) ? undefined : (value ?? undefined)))
    .pipe(z.string().optional())
    .optional();

/** Reads an optional text; an absent value and the empty string both become null (SPEC 5). */
const nullIfEmpty = (text: z.ZodString) =>
  text.nullish().transform((value) => (isBlank(value) ? null : (value ?? null)));

/** Reads an optional value; null and the empty string count as absent (SPEC 5). */
const blankAsAbsent = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (isBlank(given) ? undefined : given), value.optional()).optional();

/** Reads an optional list or object; the empty string counts as null (SPEC 5). */
const blankAsNull = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (isBlank(given) ? null : given), value.nullable()).optional();

/** Longest id of an item and longest name of an executor or a tool, in characters. */
const NAME_CHARS_MAX = 64;

/** Tools that one item may name. */
const TOOLS_MAX = 64;

const Step = z.string().trim().min(1, 'must not be empty').max(STEP_CHARS_MAX);

/** An item's id as a model writes it; may be a number. */
const ItemReference = z.union([ItemId, z.number().int().transform(String).pipe(z.string())]);

const Name = z.string().trim().min(1).max(NAME_CHARS_MAX);

/** One step as a model writes it: only its text, or with an id, dependencies, executor and tools (SPEC 5). */
export const PlanItemAnswer = z.union([
  Step,
  z.object({
    id: ItemReference,
    step: Step,
    depends_on: blankAsNull(z.array(ItemReference).max(PLAN_ITEMS_READ_MAX)),
    executor: absentIfEmpty(z.string().trim().max(NAME_CHARS_MAX)),
    tools: blankAsNull(z.array(Name).max(TOOLS_MAX)),
    expected: absentIfEmpty(z.string().trim().max(STEP_CHARS_MAX)),
  }),
]);
export type PlanItemAnswer = z.infer<typeof PlanItemAnswer>;

/** The plan contract: the only answer to a request for a plan. An empty plan is allowed. */
export const PlanAnswer = z.object({
  status: z.literal('planned'),
  goal: absentIfEmpty(z.string().trim().max(QUESTION_CHARS_MAX)),
  plan: z.array(PlanItemAnswer).max(PLAN_ITEMS_READ_MAX),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

export const PlanItemStatus = z.enum(['not_started', 'in_progress', 'completed', 'blocked', 'dropped']);
export type PlanItemStatus = z.infer<typeof PlanItemStatus>;

/** One step of a task's plan, as the task stores it (SPEC 1). `tools` null: all tools of the executor. */
export const PlanItem = z.object({
  /** Unique in the task, across all its plans. */
  id: ItemId,
  /** The id that the model gave the item, where another item of the task already had that id. */
  name: ItemId.optional(),
  step: z.string(),
  status: PlanItemStatus,
  depends_on: z.array(ItemId),
  executor: z.string(),
  tools: z.array(z.string()).nullable(),
  expected: z.string().nullable(),
  result: z.string().nullable(),
  /** Rounds spent on the item, set when it ends. */
  rounds: z.number().int().min(0),
});
export type PlanItem = z.infer<typeof PlanItem>;

export const ThoughtStatus = z.enum(['continue', 'ask_user', 'done']);
export type ThoughtStatus = z.infer<typeof ThoughtStatus>;

/** How a plan item ended; `blocked`: it could not be done (SPEC 1, 5). */
export const ItemOutcome = z.enum(['completed', 'blocked']);
export type ItemOutcome = z.infer<typeof ItemOutcome>;

/** One tool call that a thought asks for; `input` is the tool's command line or JSON, verbatim. */
export const NextAction = z.object({
  tool: z.string().trim().min(1, 'must not be empty').max(64),
  input: z
    .string()
    .max(TOOL_INPUT_CHARS_MAX)
    .refine((input) => input.trim() !== '', rule('notBlank')),
});
export type NextAction = z.infer<typeof NextAction>;

/**
 * The verdict of the tool's policy on an action, given before the thought was stored (SPEC 3, approval). A replay
 * reads it and runs no policy.
 */
export const ApprovalVerdict = z.object({
  verdict: z.enum(['run', 'ask', 'deny']),
  /** The action in words, for the approver. The whole input is shown beside it. */
  summary: z.string().max(SUMMARY_CHARS_MAX).optional(),
  /** Why a person is asked, or why the action does not run. */
  reason: z.string().max(REASON_CHARS_MAX).optional(),
});
export type ApprovalVerdict = z.infer<typeof ApprovalVerdict>;

/** A thought as it is stored, without the fields that only some statuses have. */
export const StoredThought = z.object({
  status: ThoughtStatus,
  current_step: z.string().nullable(),
  next_action: NextAction.nullable(),
  /** Actions performed at the same time as `next_action` (SPEC 3, reads side by side). */
  more_actions: z.array(NextAction).optional(),
  question: z.string().nullable(),
  response: z.string().nullable(),
  /**
   * Why the action's tool refuses its input. Nobody is asked to approve the action, and it does not run (SPEC 3,
   * approval).
   */
  refusal: z.string().optional(),
  /** The verdict of the tool's policy; absent: the tool has no policy, or none was available. */
  approval: ApprovalVerdict.optional(),
});
export type StoredThought = z.infer<typeof StoredThought>;

/**
 * Reads an action. One with an empty tool and an empty input counts as no action; an object or list becomes its JSON
 * text.
 */
const readAction = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return isBlank(value) ? null : value;
  const { tool, input } = value as Record<string, unknown>;
  if (isBlank(tool) && isBlank(input)) return null;
  return typeof input === 'object' && input !== null ? { ...value, input: JSON.stringify(input) } : value;
};

const nextActionOrNull = z.preprocess(readAction, NextAction.nullable());

const shape = z.object({
  status: ThoughtStatus,
  current_step: nullIfEmpty(z.string().max(QUESTION_CHARS_MAX)),
  next_action: nextActionOrNull.optional().transform((action) => action ?? null),
  /** Optional, and read only with `continue`: more calls of read-only tools, beside `next_action`. */
  more_actions: blankAsAbsent(z.array(z.preprocess(readAction, NextAction)).max(ACTIONS_AT_ONCE_MAX - 1)),
  question: nullIfEmpty(z.string().max(QUESTION_CHARS_MAX)),
  response: nullIfEmpty(z.string().max(RESPONSE_CHARS_MAX)),
  /** Optional, and read only with `done`; dropped beside any other status. */
  outcome: blankAsAbsent(ItemOutcome),
  /** Optional, and read only with `ask_user`: short answers to choose from. */
  options: blankAsAbsent(z.array(z.string().trim().min(1).max(OPTION_CHARS_MAX)).max(OPTIONS_MAX)),
});

const required = {
  continue: ['current_step', 'next_action'],
  ask_user: ['current_step', 'question'],
  done: [],
} as const;
const refused = {
  continue: ['question', 'response'],
  ask_user: ['next_action', 'response'],
  done: ['next_action', 'question'],
} as const;

/**
 * The thought contract with its field matrix: which fields each status requires and which it must leave null (SPEC 5).
 */
export const ThoughtAnswer = shape
  .superRefine((thought, ctx) => {
    for (const field of required[thought.status])
      if (thought[field] === null)
        ctx.addIssue({ code: 'custom', path: [field], ...rule('statusRequires', thought.status, field) });
    for (const field of refused[thought.status])
      if (thought[field] !== null)
        ctx.addIssue({ code: 'custom', path: [field], ...rule('statusLeavesNull', thought.status, field) });
  })
  .transform(
    ({
      outcome,
      options,
      more_actions,
      ...thought
    }): typeof thought & { outcome?: ItemOutcome; options?: string[]; more_actions?: NextAction[] } => ({
      ...thought,
      ...(thought.status === 'continue' && more_actions !== undefined && more_actions.length > 0 && { more_actions }),
      ...(thought.status === 'done' && outcome !== undefined && { outcome }),
      ...(thought.status === 'ask_user' && options !== undefined && options.length > 0 && { options }),
    }),
  );
export type ThoughtAnswer = z.infer<typeof ThoughtAnswer>;

export const ReplanStatus = z.enum(['replanned', 'done']);

/** How a task ended; `failed`: it was given up (SPEC 1, 5). */
export const TaskOutcome = z.enum(['completed', 'failed']);
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** An answer that meets a schema, as the model gave it. */
export const ShapedAnswer = z.record(z.string(), z.unknown());
export type ShapedAnswer = z.infer<typeof ShapedAnswer>;

/** The replan contract: the remaining work, or the answer that ends the task (SPEC 5). */
export const ReplanAnswer = z
  .object({
    status: ReplanStatus,
    plan: blankAsNull(z.array(PlanItemAnswer).max(PLAN_ITEMS_READ_MAX)).transform((plan) => plan ?? []),
    response: nullIfEmpty(z.string().max(RESPONSE_CHARS_MAX)),
    /** Optional, and read only with `done`; dropped beside "replanned". */
    outcome: blankAsAbsent(TaskOutcome),
    /** For a task whose answer has a schema; read only with `done`. */
    answer: ShapedAnswer.nullish()
      .transform((answer) => answer ?? undefined)
      .optional(),
  })
  .superRefine((replan, ctx) => {
    if (replan.status === 'replanned' && replan.plan.length === 0)
      ctx.addIssue({ code: 'custom', path: ['plan'], ...rule('replannedRequiresPlan') });
    if (replan.status === 'done' && replan.response === null)
      ctx.addIssue({ code: 'custom', path: ['response'], ...rule('doneRequiresResponse') });
  })
  .transform(({ outcome, answer, ...replan }): typeof replan & { outcome?: TaskOutcome; answer?: ShapedAnswer } => ({
    ...replan,
    ...(replan.status === 'done' && outcome !== undefined && { outcome }),
    ...(replan.status === 'done' && answer !== undefined && { answer }),
  }));
export type ReplanAnswer = z.infer<typeof ReplanAnswer>;

/** A JSON Schema, draft 2020-12, as plain data. */
export type JsonSchema = Record<string, unknown>;

/**
 * The JSON Schema of every contract with all its limits, by name. Does not express the thought's field matrix, which is
 * prose (SPEC 5).
 */
export const contractSchemas = (): Record<'plan' | 'thought' | 'replan', JsonSchema> => ({
  plan: z.toJSONSchema(PlanAnswer, { io: 'input' }),
  thought: z.toJSONSchema(ThoughtAnswer, { io: 'input' }),
  replan: z.toJSONSchema(ReplanAnswer, { io: 'input' }),
});
