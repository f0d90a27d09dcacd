import { z } from 'zod';
import { ItemId } from './ids.ts';
import { PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from './limits.ts';
import { absentIfEmpty, blankAsNull } from './text.ts';

const Step = z.string().trim().min(1, 'must not be empty').max(STEP_CHARS_MAX);

/** An item's id as a model writes it, which may be a number. */
const ItemReference = z.union([ItemId, z.number().int().transform(String).pipe(z.string())]);

/** One step as a model writes it: its text alone, or with an id, dependencies, executor and tools (SPEC 5). */
export const PlanItemAnswer = z.union([
  Step,
  z.object({
    id: ItemReference,
    step: Step,
    depends_on: blankAsNull(z.array(ItemReference).max(PLAN_ITEMS_READ_MAX)),
    executor: absentIfEmpty(z.string().trim().max(64)),
    tools: blankAsNull(z.array(z.string().trim().min(1).max(64)).max(64)),
    expected: absentIfEmpty(z.string().trim().max(STEP_CHARS_MAX)),
  }),
]);
export type PlanItemAnswer = z.infer<typeof PlanItemAnswer>;

/** The plan contract: the only thing a model may answer when it is asked for a plan. An empty plan is allowed. */
export const PlanAnswer = z.object({
  status: z.literal('planned'),
  goal: absentIfEmpty(z.string().trim().max(STEP_CHARS_MAX)),
  plan: z.array(PlanItemAnswer).max(PLAN_ITEMS_READ_MAX),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

export const PlanItemStatus = z.enum(['not_started', 'in_progress', 'completed', 'blocked', 'dropped']);
export type PlanItemStatus = z.infer<typeof PlanItemStatus>;

/** One step of a task's plan, as the task keeps it (SPEC 1). `tools` null: all that the executor has. */
export const PlanItem = z.object({
  id: ItemId,
  step: z.string(),
  status: PlanItemStatus,
  depends_on: z.array(ItemId),
  executor: z.string(),
  tools: z.array(z.string()).nullable(),
  expected: z.string().nullable(),
  result: z.string().nullable(),
  /** Rounds that were spent on it, set when it ends. */
  rounds: z.number().int().min(0),
});
export type PlanItem = z.infer<typeof PlanItem>;
