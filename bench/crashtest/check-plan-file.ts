import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { Task } from '../../machines/step.ts';
import { createTraceFold } from '../../src/history/trace.ts';
import { type PlanFile, planFile } from '../../src/projections/plan-file.ts';
import type { Violation } from './ledger.ts';

/** The tasks of one session after its whole trace. */
const foldTasks = (entries: TraceEntry[]): Map<string, Task> => {
  const trace = createTraceFold((text) => hash('sha256', text));
  const tasks = new Map<string, Task>();
  for (const entry of entries) {
    const folded = trace.fold(entry);
    if (folded.ok && folded.step !== null) tasks.set(folded.step.task.context.task_id, folded.step.task);
  }
  return tasks;
};

/** Compares a settled session's `plan.json` with the task that it names, folded from the trace (SPEC 10). */
export const checkPlanFile = (dataDir: string, session_id: string, entries: TraceEntry[]): Violation[] => {
  const path = join(dataDir, 'workspace', '.sessions', session_id, 'plan.json');
  if (!existsSync(path)) return [];
  const file = JSON.parse(readFileSync(path, 'utf8')) as PlanFile;
  const task = foldTasks(entries).get(file.id);
  if (task !== undefined && isDeepStrictEqual(file, planFile(task))) return [];
  const detail = `${session_id}: the file says ${file.id} is ${file.status}, the trace says ${task?.state ?? 'nothing of it'}`;
  return [{ rule: 'fileStale', detail }];
};
