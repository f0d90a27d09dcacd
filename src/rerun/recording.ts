import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { TaskOpened } from '../../contracts/event.ts';
import type { Feedback, FeedbackLine } from '../../contracts/feedback.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import type { Task } from '../../machines/step.ts';
import { createTraceFold } from '../history/trace.ts';
import { traceEntries } from '../history/trace-entries.ts';
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
  /** The user's feedback on its replies. */
  readonly feedback: readonly Feedback[];
}

/** Entries that are folded before other work of the process gets its turn. */
const AT_ONCE = 50;

/**
 * The tasks of a trace, in the order in which they were opened, each folded by this machine. Entries of a session
 * outside of tasks are left out. Throws `TRACE_NOT_READABLE` for anything but a trace, for one that does not replay, and
 * for one without a task. `INPUT_TOO_LARGE` for one with more entries than `entriesMax`. Lets the process do other
 * work meanwhile.
 */
export const readRecording = async (
  lines: AsyncIterable<unknown> | Iterable<unknown>,
  entriesMax = Number.POSITIVE_INFINITY,
): Promise<RecordedTask[]> => {
  const fold = createTraceFold((text) => hash('sha256', text));
  const tasks = new Map<string, { opened: TaskOpened; entries: RecordedEntry[]; feedback: Feedback[] }>();
  const rated: FeedbackLine[] = [];
  let read = 0;
  for await (const line of traceEntries(lines, (feedback) => rated.push(feedback))) {
    read += 1;
    if (read > entriesMax)
      throw new ServiceError('INPUT_TOO_LARGE', `The trace has more than ${entriesMax} entries; take fewer tasks`);
    if (read % AT_ONCE === 0) await setImmediate();
    const folded = fold.fold(line);
    if (!folded.ok) throw new ServiceError('TRACE_NOT_READABLE', `The trace does not replay: ${folded.message}`);
    const { entry, before, step } = folded;
    if (entry.task_id === null || step === null) continue;
    if (entry.event.type === 'task.opened')
      tasks.set(entry.task_id, { opened: entry.event, entries: [], feedback: [] });
    tasks.get(entry.task_id)?.entries.push({ entry, before, after: step.task });
  }
  fold.end();
  for (const { task_id, feedback } of rated) tasks.get(task_id ?? '')?.feedback.push(feedback);
  if (tasks.size === 0) throw new ServiceError('TRACE_NOT_READABLE', 'The trace has no task');
  return [...tasks.values()];
};
