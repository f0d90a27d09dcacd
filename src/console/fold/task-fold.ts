import { signal } from '@preact/signals';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { createArrowTracer, possibleArrows } from '../../../machines/arrows.ts';
import { currentItem } from '../../../machines/plan-items.ts';
import type { Task } from '../../../machines/step.ts';
import type { Difference } from '../../history/difference.ts';
import { createTraceFold, type FoldedEntry } from '../../history/trace.ts';
import { taskView } from '../../projections/task-view.ts';
import { sha256 } from './sha256.ts';

/** A task's trace, folded by the machine itself; entries count from 0. */
export type TaskFold = ReturnType<typeof createTaskFold>;

/**
 * Folds a task's entries with the code that the service replays traces with. `entries` may grow, and may be empty if all
 * are already folded. Asking for an entry that is not folded yet gives null or nothing; a component that asks is drawn
 * again once it is.
 */
export const createTaskFold = (entries: readonly TraceEntry[] = []) => {
  const trace = createTraceFold(sha256);
  const arrowsTaken = createArrowTracer();
  const folded = signal(0);
  const difference = signal<Difference | null>(null);
  /** The task after each entry. The machine shares unchanged parts, so they take little memory. */
  const tasks: (Task | null)[] = [];
  const arrows: string[][] = [];

  /** Appends an entry that was already folded. */
  const record = ({ entry, before, step }: FoldedEntry): void => {
    arrows.push(entry.task_id === null ? [] : arrowsTaken(before, entry.event).map(({ id }) => id));
    tasks.push(step?.task ?? tasks.at(-1) ?? null);
    folded.value = tasks.length;
  };

  /** The task after an entry; null: not opened yet. */
  const taskAt = (index: number): Task | null => (index < folded.value ? (tasks[index] ?? null) : null);

  return {
    /** The number of folded entries; changes as the fold advances. */
    folded,
    /** The first difference between the trace and the machine: nothing after it is folded. Null: none so far. */
    difference,
    record,
    taskAt,
    /** Folds the next entry, or finds the difference; false: nothing is left to fold. Throws for a malformed entry. */
    foldNext: (): boolean => {
      const line = entries[tasks.length];
      if (line === undefined || difference.peek() !== null) return false;
      const found = trace.fold(line);
      if (found.ok) record(found);
      else difference.value = found;
      return found.ok;
    },
    /** The task after an entry as the API shows it. */
    viewAt: (index: number): TaskView | null => {
      const task = taskAt(index);
      return task && taskView(task);
    },
    /** The text of the current plan item after an entry; null: none. */
    stepAt: (index: number): string | null => {
      const task = taskAt(index);
      return (task && currentItem(task.context)?.step) ?? null;
    },
    /** Ids of the machine's transitions at an entry. */
    arrowsAt: (index: number): readonly string[] => (index < folded.value ? (arrows[index] ?? []) : []),
    /** Ids of the transitions that the next event after an entry may take; null: not opened, or not folded so far. */
    possibleAt: (index: number): ReadonlySet<string> | null => {
      const task = taskAt(index);
      return task && new Set(possibleArrows(task).map(({ id }) => id));
    },
    /** How often each transition was taken up to and including an entry, by its id; those never taken are absent. */
    countsAt: (index: number): ReadonlyMap<string, number> => {
      const counts = new Map<string, number>();
      if (index >= folded.value) return counts;
      for (const taken of arrows.slice(0, index + 1)) for (const id of taken) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },
  };
};
