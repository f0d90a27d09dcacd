import { hash } from 'node:crypto';
import type { TaskOpened } from '../../contracts/event.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { Task } from '../../machines/step.ts';
import { createTraceFold } from '../history/trace.ts';
import { ServiceError } from '../lib/errors.ts';

/** An entry of a recorded task, with the task before and after it. */
export interface RecordedEntry {
  readonly entry: TaskTraceEntry;
  /** Null for the entry that opens the task. */
  readonly before: Task | null;
  readonly after: Task;
}

/** One task of a trace, from the entry that opened it. */
export interface RecordedTask {
  readonly opened: TaskOpened;
  readonly entries: readonly RecordedEntry[];
}

/**
 * The tasks of a trace, in the order in which they were opened, each folded by this machine. Entries of a session
 * outside of tasks are left out. Throws `TRACE_NOT_READABLE` for anything but a trace, for one that does not replay, and
 * for one without a task.
 */
export const readRecording = async (lines: AsyncIterable<unknown> | Iterable<unknown>): Promise<RecordedTask[]> => {
  const fold = createTraceFold((text) => hash('sha256', text));
  const tasks = new Map<string, { opened: TaskOpened; entries: RecordedEntry[] }>();
  for await (const line of lines) {
    const folded = fold.fold(line);
    if (!folded.ok) throw new ServiceError('TRACE_NOT_READABLE', `The trace does not replay: ${folded.message}`);
    const { entry, before, step } = folded;
    if (entry.task_id === null || step === null) continue;
    if (entry.event.type === 'task.opened') tasks.set(entry.task_id, { opened: entry.event, entries: [] });
    tasks.get(entry.task_id)?.entries.push({ entry, before, after: step.task });
  }
  fold.end();
  if (tasks.size === 0) throw new ServiceError('TRACE_NOT_READABLE', 'The trace has no task');
  return [...tasks.values()];
};
