import { isDeepStrictEqual } from 'node:util';
import type { JsonPatchOperation } from '@ag-ui/core';
import type { TaskView } from '../../../../contracts/turn-view.ts';
import { planMark } from '../../../projections/items.ts';

/** What a front end's state shows of a task. */
export const taskState = ({ plan, usage, cost, ...task }: TaskView) => ({
  id: task.id,
  goal: task.goal,
  state: task.state,
  phase: task.phase,
  outcome: task.outcome,
  pause_reason: task.pause_reason,
  plan: plan.map(({ id, step, status, result }) => ({ id, step, status, mark: planMark(status), result })),
  current_plan_index: task.current_plan_index,
  step_count: task.step_count,
  step_limit: task.step_limit,
  usage,
  ...(cost !== undefined && { cost }),
});
export type TaskState = ReturnType<typeof taskState>;

type Branch = Record<string, unknown>;

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null;

/** True where only what is inside differs: two objects, or two lists of one length. */
const areAlike = (before: unknown, after: unknown): boolean =>
  isBranch(before) &&
  isBranch(after) &&
  Array.isArray(before) === Array.isArray(after) &&
  (!Array.isArray(before) || before.length === after['length']);

/** The JSON Patch (RFC 6902) from one state to the next. For states alone: no key of theirs needs escaping. */
export const statePatch = (path: string, before: unknown, after: unknown): JsonPatchOperation[] => {
  if (isDeepStrictEqual(before, after)) return [];
  if (!areAlike(before, after)) return [{ op: 'replace', path, value: after }];
  const [from, to] = [before as Branch, after as Branch];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key): JsonPatchOperation[] => {
    const at = `${path}/${key}`;
    if (!(key in to)) return [{ op: 'remove', path: at }];
    return key in from ? statePatch(at, from[key], to[key]) : [{ op: 'add', path: at, value: to[key] }];
  });
};
