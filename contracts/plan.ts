import { z } from 'zod';
import { ItemId } from './ids.ts';
import { PLAN_ITEMS_READ_MAX, STEP_CHARS_MAX } from './limits.ts';
import { absentIfEmpty, blankAsNull, isBlank } from './text.ts';

/** Longest id of an item and longest name of an executor or a tool, in characters. */
const NAME_CHARS_MAX = 64;

/** Tools that one item may name. */
const TOOLS_MAX = 64;

const Step = z.string().trim().min(1, 'must not be empty').max(STEP_CHARS_MAX);

/** An item's id as a model writes it, which may be a number. */
const ItemReference = z.union([ItemId, z.number().int().transform(String).pipe(z.string())]);

const Name = z.string().trim().min(1).max(NAME_CHARS_MAX);

const isName = (entry: unknown): boolean =>
  typeof entry === 'string' && !isBlank(entry) && entry.trim().length <= NAME_CHARS_MAX;
const isReference = (entry: unknown): boolean => Number.isSafeInteger(entry) || isName(entry);

/** Reads a list up to its first broken entry: explaining one takes ten times as long as reading one, and the items of one plan may have 16,000. */
const upToBroken = <List extends z.ZodType>(list: List, isWhole: (entry: unknown) => boolean) =>
  z.preprocess((given) => {
    const broken = Array.isArray(given) ? given.findIndex((entry) => !isWhole(entry)) : -1;
    return broken === -1 ? given : (given as unknown[]).slice(0, broken + 1);
  }, list);

/** One step as a model writes it: its text alone, or with an id, dependencies, executor and tools (SPEC 5). */
export const PlanItemAnswer = z.union([
  Step,
  z.object({
    id: ItemReference,
    step: Step,
    depends_on: blankAsNull(upToBroken(z.array(ItemReference).max(PLAN_ITEMS_READ_MAX), isReference)),
    executor: absentIfEmpty(z.string().trim().max(NAME_CHARS_MAX)),
    tools: blankAsNull(upToBroken(z.array(Name).max(TOOLS_MAX), isName)),
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
