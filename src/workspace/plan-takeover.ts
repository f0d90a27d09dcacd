import { linkSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskId } from '../../contracts/ids.ts';
import { PLAN_FILES_KEPT } from '../../contracts/limits.ts';

/** Longest plan.json that is kept for its task, in bytes: far above a plan of most items with the longest results. */
const PLAN_BYTES_MAX = 1_048_576;

/** The task that a plan.json is of; null where there is no such file, or it is no plan of a task. Follows no link. */
const taskOf = (plan: string): string | null => {
  try {
    const found = lstatSync(plan, { throwIfNoEntry: false });
    if (found === undefined || !found.isFile() || found.size > PLAN_BYTES_MAX) return null;
    const read = TaskId.safeParse((JSON.parse(readFileSync(plan, 'utf8')) as { id?: unknown } | null)?.id);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

/** The plans of other tasks in a folder; ids of tasks sort by when these were opened. */
const OTHER_PLAN = /^plan\.task_[0-9a-z]{1,40}\.json$/;

/**
 * Before a task writes `plan.json` for the first time: leaves that of another task beside it as `plan.<task_id>.json` (SPEC 10), and removes
 * this task's own that another one left there. The newest `PLAN_FILES_KEPT` stay. A file that is no plan of a task is not kept.
 */
export const leaveOtherPlan = async (folder: string, taskId: string): Promise<void> => {
  const plan = join(folder, 'plan.json');
  const planOf = (id: string): string => join(folder, `plan.${id}.json`);
  const other = taskOf(plan);
  if (other === null || other === taskId) return;
  rmSync(planOf(other), { force: true });
  // The next write takes the place of plan.json by rename, and leaves the file under this name.
  linkSync(plan, planOf(other));
  rmSync(planOf(taskId), { force: true });
  const plans = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => OTHER_PLAN.test(entry.name) && entry.isFile(),
  );
  const oldest = plans.map(({ name }) => name).sort();
  for (const name of oldest.slice(0, Math.max(0, oldest.length - PLAN_FILES_KEPT)))
    rmSync(join(folder, name), { force: true });
};
