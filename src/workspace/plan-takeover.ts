import { linkSync, lstatSync, rmSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskId } from '../../contracts/ids.ts';
import { PLAN_FILES_KEPT } from '../../contracts/limits.ts';
import { ENTRIES_MAX } from './list-files.ts';
import { openFile, readStart } from './open-file.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** Longest plan.json that is kept for its task, in bytes: far above what a plan of most items with the longest results takes. */
const PLAN_BYTES_MAX = 1_048_576;

/** The text of a folder's plan.json, or null where there is none or it is too long. Follows no link. */
const readPlan = async (folder: string): Promise<string | null> => {
  try {
    // Most folders have none yet, and to open each folder on the way to it takes ten times as long as to see that.
    if (lstatSync(join(folder, 'plan.json'), { throwIfNoEntry: false }) === undefined) return null;
    const opened = await openFile(folder, ['plan.json']);
    try {
      return opened.stats.size <= PLAN_BYTES_MAX ? (await readStart(opened, PLAN_BYTES_MAX)).toString() : null;
    } finally {
      await opened.handle.close();
    }
  } catch {
    return null;
  }
};

const idIn = (text: string): string | null => {
  try {
    const read = TaskId.safeParse((JSON.parse(text) as { id?: unknown } | null)?.id);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};

const planOf = (folder: string, taskId: string): string => join(folder, `plan.${taskId}.json`);

/** Gives the folder's plan.json its task's name besides, without reading it; a write takes its place by rename, and leaves that name. False where it can't be done. */
const nameAfter = (folder: string, taskId: string): boolean => {
  const plan = join(folder, 'plan.json');
  try {
    if (!lstatSync(plan).isFile()) return false;
    rmSync(planOf(folder, taskId), { force: true });
    linkSync(plan, planOf(folder, taskId));
    return true;
  } catch {
    return false;
  }
};

/** The plans of other tasks in a folder; ids of tasks sort by when these were opened. */
const OTHER_PLAN = /^plan\.task_[0-9a-z]{1,40}\.json$/;

/** Plans removed at once: a folder may have thousands, of a version that kept them all, and each task takes its share. */
const REMOVED_AT_ONCE = 32;

/** Removes the plans of the tasks that were opened first, beyond those that are kept: the files of a session are counted, and no tool may remove these. */
const dropOldest = async (folder: string): Promise<void> => {
  const plans: string[] = [];
  let seen = 0;
  for await (const entry of await opendir(folder)) {
    if (OTHER_PLAN.test(entry.name) && !entry.isDirectory()) plans.push(entry.name);
    seen += 1;
    if (seen === ENTRIES_MAX) break;
  }
  const beyond = Math.max(0, plans.length - PLAN_FILES_KEPT);
  for (const name of plans.sort().slice(0, Math.min(beyond, REMOVED_AT_ONCE)))
    rmSync(join(folder, name), { force: true });
};

/**
 * Before a task writes `plan.json` for the first time: leaves that of another task beside it as `plan.<task_id>.json` (SPEC 10), and removes
 * this task's own that another one left there. The newest `PLAN_FILES_KEPT` stay. `shown` is the task that it is known to be of; else its text says. What is no plan of a task is not kept.
 */
export const leaveOtherPlan = async (folder: string, taskId: string, shown: string | undefined): Promise<void> => {
  if (shown === undefined || !nameAfter(folder, shown)) {
    const text = await readPlan(folder);
    const other = text === null ? null : idIn(text);
    if (text === null || other === null || other === taskId) return;
    await writeFileAtomic(planOf(folder, other), text);
  }
  rmSync(planOf(folder, taskId), { force: true });
  await dropOldest(folder);
};
