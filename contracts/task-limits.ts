import { z } from 'zod';
import { PLAN_ITEMS_READ_MAX } from './limits.ts';

const count = (max: number) => z.number().int().min(1).max(max);

/** The limits that a task is opened with and keeps; defaults are those of SPEC 13. */
export const TaskLimits = z.object({
  /** Budget steps a task gets at its start and at each `continue`. */
  max_steps: count(10_000).default(20),
  /** Budget steps a task can ever get: past it the task fails. */
  max_total_steps: count(100_000).default(200),
  /** Failures in a row that narrow the thought, and rejected replans in a row that pause the task. */
  failure_limit: count(100).default(3),
  /** Rejected plans after the first before the goal itself becomes the plan. */
  plan_retries: z.number().int().min(0).max(100).default(2),
  /** Questions that thoughts of one task may ask. */
  max_questions: z.number().int().min(0).max(1_000).default(6),
  /** Longest plan, in items. */
  max_plan_items: count(PLAN_ITEMS_READ_MAX).default(12),
  /** Inner rounds on one item before the thought is narrowed. */
  max_rounds_per_item: count(10_000).default(12),
  /** Replans of one task before it pauses. */
  max_replans: count(10_000).default(50),
  /** Failed verifications before the task pauses. */
  verify_limit: count(100).default(2),
  /** Tokens that a task's model calls may use, at its start and at each `continue`; null: any number. */
  max_task_tokens: count(1_000_000_000).nullable().default(null),
});
export type TaskLimits = z.infer<typeof TaskLimits>;
