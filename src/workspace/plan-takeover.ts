import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskId } from '../../contracts/ids.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** Longest plan.json that is kept for its task, in bytes: far above what a plan of most items with the longest results takes. */
const PLAN_BYTES_MAX = 1_048_576;

/** The text of a regular file, or null where there is none or it is too long. Follows no link. */
const readText = async (file: string): Promise<string | null> => {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      return found.isFile() && found.size <= PLAN_BYTES_MAX ? await handle.readFile('utf8') : null;
    } finally {
      await handle.close();
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

/**
 * Before a task writes `plan.json` for the first time: leaves that of another task beside it as `plan.<task_id>.json` (SPEC 10), and removes
 * this task's own that another one left there. What is no plan of a task is not kept.
 */
export const leaveOtherPlan = async (folder: string, taskId: string): Promise<void> => {
  const text = await readText(join(folder, 'plan.json'));
  const other = text === null ? null : idIn(text);
  if (text === null || other === null || other === taskId) return;
  await writeFileAtomic(join(folder, `plan.${other}.json`), text);
  await rm(join(folder, `plan.${taskId}.json`), { force: true });
};
