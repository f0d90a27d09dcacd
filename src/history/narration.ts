import type { StateChange } from '../../contracts/http.ts';
import type { SessionTraceEntry, TaskTraceEntry, TraceEntry } from '../../contracts/trace.ts';
import type { TaskView } from '../../contracts/turn-view.ts';
import type { Task } from '../../machines/step.ts';
import { type ProgressLine, progressLines } from '../projections/progress.ts';
import { phaseOf, taskView } from '../projections/task-view.ts';

/** A task between two entries. `task` is null if this machine cannot fold its history. */
export interface TaskAfter {
  readonly task: Task | null;
  readonly stands: StateChange;
}

/** An entry with its messages, which are made on first use and shared by all readers. */
export class Narration {
  readonly entry: TraceEntry;
  readonly #before: TaskAfter | null;
  /** Null for an entry outside any task. */
  readonly after: TaskAfter | null;
  #progress: readonly ProgressLine[] | null = null;
  #view: TaskView | null = null;

  constructor(entry: TraceEntry, before: TaskAfter | null, after: TaskAfter | null) {
    this.entry = entry;
    this.#before = before;
    this.after = after;
  }

  /** The task's state and phase if the entry changed either. */
  get stateChange(): StateChange | null {
    if (this.after === null) return null;
    const { stands } = this.after;
    const before = this.#before?.stands;
    return before?.state === stands.state && before.phase === stands.phase ? null : stands;
  }

  /** The entry's progress lines; empty if this machine cannot fold the history. */
  get progress(): readonly ProgressLine[] {
    const { entry, task } = this;
    if (entry.task_id === null || task === null) return [];
    this.#progress ??= progressLines(this.#before?.task ?? null, entry, task);
    return this.#progress;
  }

  /** The task after the entry; null outside a task, and if this machine cannot fold its history. */
  get task(): Task | null {
    return this.after?.task ?? null;
  }

  /** The view of that task. */
  get view(): TaskView | null {
    this.#view ??= this.task && taskView(this.task);
    return this.#view;
  }
}

const asItStands = (task: Task): TaskAfter => ({
  task,
  stands: { task_id: task.context.task_id, state: task.state, phase: phaseOf(task) },
});

/** Narrates an entry whose task before and after is known. Folds nothing. */
export const narrateStep = (entry: TaskTraceEntry, before: Task | null, after: Task): Narration =>
  new Narration(entry, before && asItStands(before), asItStands(after));

/** Narrates an entry of a session outside any task. */
export const narrateSessionEntry = (entry: SessionTraceEntry): Narration => new Narration(entry, null, null);
