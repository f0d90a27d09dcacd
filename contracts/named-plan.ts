import { z } from 'zod';
import { rule } from './answer.ts';
import { PLAN_ITEMS_READ_MAX, QUESTION_CHARS_MAX, STEP_CHARS_MAX } from './limits.ts';
import { plainLine } from './text.ts';

/** Longest title of a named plan, in characters: a heading. */
const TITLE_CHARS_MAX = 200;

const Line = z
  .string()
  .overwrite((text) => plainLine(text))
  .min(1, 'must not be empty');
const Title = Line.max(TITLE_CHARS_MAX);
const Step = Line.max(STEP_CHARS_MAX);
export const NamedStepNotes = Line.max(QUESTION_CHARS_MAX);
const Steps = z.array(Step).min(1, 'must have at least one step').max(PLAN_ITEMS_READ_MAX);

/**
 * A plan's name within its session. Never only digits (`/plan mark 2 …` means a step), and never a path that a URL
 * would shorten.
 */
export const NamedPlanId = z
  .string()
  .overwrite((text) => text.trim().normalize('NFC'))
  .regex(/^(?!\d+$)[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,63}$/u, rule('planId').message);

/** The statuses of a step in a named plan, as OpenManus has them. Steps of named plans are never dropped. */
export const NamedStepStatus = z.enum(['not_started', 'in_progress', 'completed', 'blocked']);
export type NamedStepStatus = z.infer<typeof NamedStepStatus>;

/** One step of a named plan. */
export const NamedStep = z.object({ step: z.string(), status: NamedStepStatus, notes: z.string().nullable() });
export type NamedStep = z.infer<typeof NamedStep>;

const count = z.number().int().min(0);

/** How many steps a plan has in each status, and the percentage completed, with one decimal. */
export const NamedPlanProgress = z.object({
  total: count,
  completed: count,
  in_progress: count,
  blocked: count,
  not_started: count,
  percent: z.number().min(0).max(100),
});
export type NamedPlanProgress = z.infer<typeof NamedPlanProgress>;

/** A named plan in a list. */
export const NamedPlanSummary = z.object({
  plan_id: z.string(),
  title: z.string(),
  /** The plan that is used where none is named; a session has at most one. */
  active: z.boolean(),
  progress: NamedPlanProgress,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type NamedPlanSummary = z.infer<typeof NamedPlanSummary>;

/**
 * A plan that a session stores under a name (SPEC 10, planning flow). It is not a task's plan, and nothing executes it.
 */
export const NamedPlan = NamedPlanSummary.extend({ steps: z.array(NamedStep) });
export type NamedPlan = z.infer<typeof NamedPlan>;

/** The body of `POST /v1/sessions/{session_id}/plans`; without a title the plan's id is its title. */
export const CreateNamedPlan = z.strictObject({ plan_id: NamedPlanId, title: Title.optional(), steps: Steps });
export type CreateNamedPlan = z.infer<typeof CreateNamedPlan>;

/** The body of `PATCH …/plans/{plan_id}`: absent fields stay; a step whose text is unchanged keeps its status. */
export const UpdateNamedPlan = z
  .strictObject({ title: Title.optional(), steps: Steps.optional() })
  .refine(({ title, steps }) => title !== undefined || steps !== undefined, rule('oneOf', 'title', 'steps'));
export type UpdateNamedPlan = z.infer<typeof UpdateNamedPlan>;

/** The body of `PATCH …/plans/{plan_id}/steps/{step_index}`: absent fields stay; notes of null are removed. */
export const MarkNamedStep = z
  .strictObject({ status: NamedStepStatus.optional(), notes: NamedStepNotes.nullable().optional() })
  .refine(({ status, notes }) => status !== undefined || notes !== undefined, rule('oneOf', 'status', 'notes'));
export type MarkNamedStep = z.infer<typeof MarkNamedStep>;

/** Most values of a run: more placeholders than a person fills in. */
const RUN_VALUES_MAX = 100;

const RunValue = z.union([
  z
    .string()
    .max(STEP_CHARS_MAX)
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode'),
  z.number(),
  z.boolean(),
]);

/** Values for the placeholders of a named plan, by name. They are text, inserted once. */
export const RunValues = z
  .record(z.string().min(1).max(64), RunValue)
  .refine((values) => Object.keys(values).length <= RUN_VALUES_MAX, `must be at most ${RUN_VALUES_MAX} values`);

/** A named plan that a turn runs as its task, and the values for its placeholders. */
export const PlanRun = z.object({ plan_id: z.string(), values: RunValues });
export type PlanRun = z.infer<typeof PlanRun>;
