import type { TraceEntry } from '../../contracts/trace.ts';
import { EventNotAccepted, open, step, type Task } from '../../machines/step.ts';
import { type ProgressLine, progressLines } from './progress.ts';

/** Gives the progress lines of a session's entries, one entry after the other in the order of `seq`. */
export type Narrator = (entry: TraceEntry) => ProgressLine[];

/**
 * Makes a narrator that folds the entries it is shown through the machine. When it comes in the middle of a task it folds
 * the earlier ones first, which it gets from `taskTrace`. A history that this machine does not fold, because another version
 * made it, has no lines: it never hides an entry. Keeps one task in memory, whatever the session's length.
 */
export const createNarrator = (taskTrace: (taskId: string) => Iterable<TraceEntry>): Narrator => {
  let told: Task | null = null;
  let untellable: string | null = null;

  const taskBefore = (taskId: string, seq: number): Task | null => {
    if (told?.context.task_id === taskId) return told;
    let task: Task | null = null;
    for (const { seq: at, task_id, event } of taskTrace(taskId)) {
      if (at >= seq) break;
      if (task_id === null) continue;
      if (event.type === 'task.opened') ({ task } = open(event));
      else if (task !== null) ({ task } = step(task, event));
    }
    return task;
  };

  return (entry) => {
    const { task_id, seq, event } = entry;
    if (task_id === null || task_id === untellable) return [];
    try {
      const before = event.type === 'task.opened' ? null : taskBefore(task_id, seq);
      if (event.type === 'task.opened') told = open(event).task;
      else if (before === null) return [];
      else told = step(before, event).task;
      return progressLines(before, entry, told);
    } catch (error) {
      if (!(error instanceof EventNotAccepted)) throw error;
      untellable = task_id;
      return [];
    }
  };
};
