import { z } from 'zod';
import type { PlanItem, PlanItemStatus } from '../../contracts/answer.ts';
import { FileStepStatus } from '../../contracts/http.ts';
import { isEnded, isSettled, type TaskContext, type TaskSnapshot, type TaskState } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import { allItems, nextItem } from './items.ts';

/** Longest `result` of a step in plan.json, in characters: a summary. The task has the whole result. */
const RESULT_SUMMARY_CHARS_MAX = 500;

const counter = z.number().int().min(0);

/** The content of `plan.json` (SPEC 10, file-based planning). */
export const PlanFile = z.strictObject({
  id: z.string(),
  goal: z.string(),
  status: z.enum(['running', 'paused', 'completed', 'failed']),
  /** Items that ended in earlier plans, completed or blocked, then the current plan. */
  steps: z.array(
    z.strictObject({
      id: z.string(),
      description: z.string(),
      status: FileStepStatus,
      result: z.string().nullable(),
      /** Rounds on the step, out of the maximum; a completed step shows its own rounds as both. */
      progress: z.strictObject({ current: counter, total: counter }),
    }),
  ),
  /** The current or next step; the number of steps if none is left. */
  current_step_index: counter,
  /** Inner rounds since the task began. */
  iteration_count: counter,
});
export type PlanFile = z.infer<typeof PlanFile>;
type FileStep = PlanFile['steps'][number];

const fileStatus = ({ state, context }: TaskSnapshot): PlanFile['status'] => {
  if (!isEnded(state)) return isSettled(state) ? 'paused' : 'running';
  return state === 'done' && context.outcome !== 'failed' ? 'completed' : 'failed';
};

/** The status of an open task's item, as plan.json shows it. */
export const STEP_STATUS: Record<PlanItemStatus, FileStep['status']> = {
  not_started: 'pending',
  in_progress: 'running',
  completed: 'completed',
  blocked: 'failed',
  dropped: 'failed',
};

/** An item in progress when its task ended has failed; otherwise it reads running, even while the task is suspended. */
const stepStatus = ({ status }: PlanItem, state: TaskState): FileStep['status'] =>
  status === 'in_progress' && isEnded(state) ? 'failed' : STEP_STATUS[status];

const progressOf = (item: PlanItem, context: TaskContext): FileStep['progress'] => {
  // An item without work, such as one that its user marked as completed, reads 1/1: a reader may divide by the total.
  if (item.status === 'completed') return { current: Math.max(1, item.rounds), total: Math.max(1, item.rounds) };
  const total = context.limits.max_rounds_per_item;
  if (item.status === 'blocked') return { current: Math.min(item.rounds, total), total };
  const isCounted = item.status === 'in_progress' && item.id === context.rounds_item_id;
  return { current: isCounted ? Math.min(context.rounds, total) : 0, total };
};

/** The task as `plan.json` shows it (SPEC 10). Only the content: writes no file. */
export const planFile = (task: TaskSnapshot): PlanFile => {
  const { state, context } = task;
  const items = allItems(context);
  const next = nextItem(context);
  return {
    id: context.task_id,
    goal: context.goal,
    status: fileStatus(task),
    steps: items.map((item) => ({
      id: item.id,
      description: item.step,
      status: stepStatus(item, state),
      result: item.result === null ? null : plainLine(item.result, RESULT_SUMMARY_CHARS_MAX),
      progress: progressOf(item, context),
    })),
    current_step_index: next === null ? items.length : items.indexOf(next),
    iteration_count: context.iteration_count,
  };
};
