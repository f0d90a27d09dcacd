import type { TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import { EventNotAccepted, type Task } from '../../machines/step.ts';
import { phaseOf } from '../projections/task-view.ts';
import { foldEntry } from './fold.ts';
import { Narration, narrateSessionEntry, type TaskAfter } from './narration.ts';

/** For a phase without known counts: derived from the state alone, so never `recovering`. */
const NO_FAILURES = { plan_failures: 0, replan_failures: 0, consecutive_failures: 0, is_recovering: false };

const taskAfter = (before: Task | null, { task_id, state, event }: TaskTraceEntry): TaskAfter => {
  const { step, disagreement } = foldEntry(before, { event, recorded: null });
  if (step === null && !(disagreement.error instanceof EventNotAccepted)) throw disagreement.error;
  const task = step?.task ?? null;
  // The stored state counts. A fold that reaches another one does not know the counts either.
  const context = task?.state === state ? task.context : NO_FAILURES;
  return { task, stands: { task_id, state, phase: phaseOf({ state, context }) } };
};

/**
 * Narrates entries of one session by folding them; `taskTrace` gives those before the first. A history that does not
 * fold has no progress lines. Narrated entries and news pass through.
 */
export async function* narrate<News extends { data: unknown } = never>(
  entries: AsyncIterable<TraceEntry | Narration | News>,
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

  for await (const item of entries) {
    if (item instanceof Narration) {
      last = item.after ?? last;
      yield item;
    } else if ('data' in item) yield item;
    else if (item.task_id === null) yield narrateSessionEntry(item);
    else {
      const before = await taskBefore(item);
      last = taskAfter(before?.task ?? null, item);
      yield new Narration(item, before, last);
    }
  }
}
