import type { StateChange } from '../../contracts/http.ts';
import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import { EventNotAccepted, type Task } from '../../machines/step.ts';
import { type ProgressLine, progressLines } from '../projections/progress.ts';
import { phaseOf } from '../projections/task-view.ts';
import { foldEntry } from './fold.ts';

/** An entry with its messages: the task's state and phase where it changed either of them, and its progress lines. */
export interface Narration {
  entry: TraceEntry;
  stateChange: StateChange | null;
  progress: ProgressLine[];
  /** The task as the entry left it; null outside a task, and where this machine does not fold its history. */
  task: Task | null;
}

type TaskAfter = Pick<Narration, 'task'> & { stands: StateChange };

/** The phase where the fold does not know the counts: derived from the state alone, so never `recovering`. */
const NO_FAILURES = { plan_failures: 0, replan_failures: 0, consecutive_failures: 0, is_recovering: false };

const taskAfter = (before: Task | null, { task_id, state, event }: TaskTraceEntry): TaskAfter => {
  const { step, disagreement } = foldEntry(before, { event, recorded: null });
  if (step === null && !(disagreement.error instanceof EventNotAccepted)) throw disagreement.error;
  const task = step?.task ?? null;
  // The stored state counts: a fold that comes to another one can't know the counts either.
  const context = task?.state === state ? task.context : NO_FAILURES;
  return { task, stands: { task_id, state, phase: phaseOf({ state, context }) } };
};

/** Narrates entries of one session by folding them; those before the first come from `taskTrace`. A history that does not fold has no progress lines. */
export async function* narrate<News extends { data: unknown } = never>(
  entries: AsyncIterable<TraceEntry | News>,
  taskTrace: (taskId: string) => AsyncIterable<TaskTraceEntry>,
): AsyncGenerator<Narration | News> {
  let last: TaskAfter | null = null;
  const taskBefore = async ({ task_id, seq, event }: TaskTraceEntry): Promise<TaskAfter | null> => {
    if (event.type === 'task.opened') return null;
    if (last?.stands.task_id === task_id) return last;
    let found: TaskAfter | null = null;
    for await (const earlier of taskTrace(task_id)) {
      if (earlier.seq >= seq) break;
      found = taskAfter(found?.task ?? null, earlier);
    }
    return found;
  };

  for await (const entry of entries) {
    if ('data' in entry) {
      yield entry;
      continue;
    }
    if (entry.task_id === null) {
      yield { entry, stateChange: null, progress: [], task: null };
      continue;
    }
    const before = await taskBefore(entry);
    last = taskAfter(before?.task ?? null, entry);
    const { task, stands } = last;
    const isChange = before?.stands.state !== stands.state || before.stands.phase !== stands.phase;
    const progress = task === null ? [] : progressLines(before?.task ?? null, entry, task);
    yield { entry, stateChange: isChange ? stands : null, progress, task };
  }
}
