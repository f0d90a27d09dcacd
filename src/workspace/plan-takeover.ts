import { linkSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { planOwner } from './left-plan.ts';

/**
 * Plans of other tasks that stay in a session's folder as `plan.<task_id>.json`, those opened last (SPEC 10): a tenth
 * of the files that it may have.
 */
export const PLAN_FILES_KEPT = 100;

/** The plans of other tasks in a folder. Task ids sort by the time they were opened. */
const OTHER_PLAN = /^plan\.task_[0-9a-z]{1,40}\.json$/;

const exists = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Removes a file or a link; leaves a folder, and does nothing if there is neither. */
const removeFile = (file: string): void => {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!['ENOENT', 'EISDIR', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
  }
};

/** Gives a file a second name, whatever had that name before. */
const linkAs = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    unlinkSync(name);
    linkSync(file, name);
  }
};

/**
 * Before a task first writes `plan.json`: leaves another's beside it as `plan.<its id>.json`, and removes its own that
 * was left there, unless the task `isNew` (SPEC 10). Throws the system's error.
 */
export const leaveOtherPlan = (folder: string, taskId: string, isNew: boolean): void => {
  const plan = join(folder, 'plan.json');
  const planOf = (id: string): string => join(folder, `plan.${id}.json`);
  const other = planOwner(plan);
  if (other === null || other.id === taskId) return;
  let { id } = other;
  if (!other.isTask) for (let n = 2; exists(planOf(id)); n += 1) id = `${other.id}.${n}`;
  // The next write replaces plan.json by rename, which leaves the file under this name.
  linkAs(plan, planOf(id));
  if (!isNew) removeFile(planOf(taskId));
  const plans = readdirSync(folder).filter((name) => OTHER_PLAN.test(name));
  for (const name of plans.sort().slice(0, -PLAN_FILES_KEPT)) removeFile(join(folder, name));
};
