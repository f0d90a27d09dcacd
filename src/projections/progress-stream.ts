import type { StateChange } from '../../contracts/http.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import { EventNotAccepted, open, step, type Task } from '../../machines/step.ts';
import { type ProgressLine, progressLines } from './progress.ts';
import { phaseOf } from './task-view.ts';

/** What one entry has to tell: the task's state and phase where it changed either of them, and its progress lines. */
export interface Narration {
  stateChange: StateChange | null;
  progress: ProgressLine[];
  /** The task as the entry left it; null outside a task, and where this machine does not fold its history. */
  task: Task | null;
}

/** Narrates a session's entries, one after the other in the order of `seq`. */
export type Narrator = (entry: TraceEntry) => Promise<Narration>;

/** A task as one of its entries left it. `task` is null when this machine does not fold the history up to there. */
interface TaskAfter {
  task: Task | null;
  stands: StateChange;
}

/** The phase where the fold does not know the counts: derived from the state alone, so never `recovering`. */
const NO_FAILURES = { plan_failures: 0, replan_failures: 0, consecutive_failures: 0, is_recovering: false };

const fold = (before: Task | null, { event }: TaskTraceEntry): Task | null => {
  if (event.type === 'task.opened') return open(event).task;
  if (before === null) return null;
  try {
    return step(before, event).task;
  } catch (error) {
    if (!(error instanceof EventNotAccepted)) throw error;
    return null;
  }
};

const taskAfter = (before: TaskAfter | null, entry: TaskTraceEntry): TaskAfter => {
  const { task_id, state } = entry;
  const task = fold(before?.task ?? null, entry);
  // What is stored is what was so: a fold that comes to another state can't know the counts either.
  const context = task?.state === state ? task.context : NO_FAILURES;
  return { task, stands: { task_id, state, phase: phaseOf({ state, context }) } };
};

const isChange = (before: TaskAfter | null, { stands }: TaskAfter): boolean =>
  before === null || before.stands.state !== stands.state || before.stands.phase !== stands.phase;

/**
 * Makes a narrator that folds the entries it is shown through the machine. When it comes in the middle of a task it folds
 * the earlier ones first, which it gets from `taskTrace`: the narration of an entry never depends on where it started. A history
 * that this machine does not fold, because another version made it, has no progress lines, and its phases follow from the
 * stored states alone: it never hides an entry. Keeps one task in memory, whatever the session's length.
 */
export const createNarrator = (taskTrace: (taskId: string) => AsyncIterable<TaskTraceEntry>): Narrator => {
  let last: TaskAfter | null = null;

  const taskBefore = async ({ task_id, seq, event }: TaskTraceEntry): Promise<TaskAfter | null> => {
    if (event.type === 'task.opened') return null;
    if (last?.stands.task_id === task_id) return last;
    let found: TaskAfter | null = null;
    for await (const earlier of taskTrace(task_id)) {
      if (earlier.seq >= seq) break;
      found = taskAfter(found, earlier);
    }
    return found;
  };

  return async (entry) => {
    if (entry.task_id === null) return { stateChange: null, progress: [], task: null };
    const before = await taskBefore(entry);
    const after = taskAfter(before, entry);
    last = after;
    return {
      stateChange: isChange(before, after) ? after.stands : null,
      progress: after.task === null ? [] : progressLines(before?.task ?? null, entry, after.task),
      task: after.task,
    };
  };
};
