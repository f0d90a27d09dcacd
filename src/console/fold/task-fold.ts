import { type ReadonlySignal, signal } from '@preact/signals';
import type { Effect } from '../../../contracts/event.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { createArrowTracer } from '../../../machines/arrows.ts';
import { currentItem } from '../../../machines/plan-items.ts';
import type { Task } from '../../../machines/step.ts';
import { foldEvent } from '../../engine/replay/fold.ts';
import { createTraceFold, type Difference, type FoldedEntry } from '../../engine/replay/replay.ts';
import { taskView } from '../../projections/task-view.ts';

/** Entries between two states that are kept: fewer cost memory, more make a jump into the history slow. */
const SNAPSHOT_EVERY = 32;

/** The effect of one entry on its task. */
export interface EntryChange {
  /** Null where the entry opens the task, or belongs to none. */
  before: Task | null;
  /** Null where the entry belongs to no task. */
  after: Task | null;
  effects: readonly Effect[];
}

/** How often each transition was taken, by its id; those that never were are not there. */
export type ArrowCounts = ReadonlyMap<string, number>;

/** A task's trace, folded by the machine itself; entries are numbered from 0. */
export interface TaskFold {
  /** How many entries are folded, and so may be asked for: changes as the fold goes on. */
  readonly folded: ReadonlySignal<number>;
  /** The first place where the trace and the machine differ: nothing behind it is folded. Null: there is none so far. */
  readonly difference: ReadonlySignal<Difference | null>;
  /** Folds the next entry, or finds the difference; false where there is nothing to fold. Throws for what is no entry at all. */
  foldNext(): boolean;
  /** Takes an entry that was folded already, behind those that are there. */
  record(found: FoldedEntry): void;
  /** The task after an entry; null: it is not opened yet. */
  taskAt(index: number): Task | null;
  /** The same as the API shows a task. */
  viewAt(index: number): TaskView | null;
  changeAt(index: number): EntryChange;
  /** The text of the plan item that the task is at after an entry; null: at none. */
  stepAt(index: number): string | null;
  /** Ids of the transitions that the machine took at an entry. */
  arrowsAt(index: number): readonly string[];
  /** Transitions up to an entry, that one included. */
  countsAt(index: number): ArrowCounts;
}

const folding = (before: Task | null, { event, task_id }: TraceEntry): { task: Task; effects: Effect[] } | null => {
  if (task_id === null) return null;
  return before === null && event.type !== 'task.opened' ? null : foldEvent(before, event);
};

/**
 * Folds a task's entries with the very code that the service replays traces with, and keeps few states: others are folded anew when they are
 * asked for, from the last one that was kept. `entries` may grow, and may be none where all are folded already.
 */
export const createTaskFold = (entries: readonly TraceEntry[] = []): TaskFold => {
  const trace = createTraceFold();
  const arrowsTaken = createArrowTracer();
  const folded = signal(0);
  const difference = signal<Difference | null>(null);
  /** The parsed lines; fields that an older version left out are filled in. */
  const parsed: TraceEntry[] = [];
  const arrows: string[][] = [];
  const steps: (string | null)[] = [];
  const kept: { task: Task | null; counts: ArrowCounts }[] = [];
  const counts = new Map<string, number>();
  let task: Task | null = null;

  const keep = (): void => {
    if (parsed.length % SNAPSHOT_EVERY === 0) kept.push({ task, counts: new Map(counts) });
  };

  const record = ({ entry, before, step: made }: FoldedEntry): void => {
    keep();
    const taken = entry.task_id === null ? [] : arrowsTaken(before, entry.event).map(({ id }) => id);
    for (const id of taken) counts.set(id, (counts.get(id) ?? 0) + 1);
    parsed.push(entry);
    arrows.push(taken);
    task = made?.task ?? task;
    steps.push(task === null ? null : (currentItem(task.context)?.step ?? null));
    folded.value = parsed.length;
  };

  const foldNext = (): boolean => {
    const line = entries[parsed.length];
    if (line === undefined || difference.peek() !== null) return false;
    const found = trace.fold(line);
    if (found.ok) record(found);
    else difference.value = found;
    return found.ok;
  };

  /** The last result: chart, plan and timeline all ask for the same entry. */
  let last: { index: number; change: EntryChange } | null = null;

  /** The task before an entry, by folding from the last state that was kept, or from what was asked for last where that is nearer. */
  const taskBefore = (index: number): Task | null => {
    const place = Math.floor(index / SNAPSHOT_EVERY);
    const start = place * SNAPSHOT_EVERY;
    const near = last !== null && last.index < index && last.index >= start ? last : null;
    let at = near === null ? (kept[place]?.task ?? null) : (near.change.after ?? near.change.before);
    for (let i = near === null ? start : near.index + 1; i < index; i++) at = folding(at, parsed[i]!)?.task ?? at;
    return at;
  };

  const changeAt = (index: number): EntryChange => {
    if (last?.index === index) return last.change;
    const before = taskBefore(index);
    const made = folding(before, parsed[index]!);
    const change = { before, after: made?.task ?? null, effects: made?.effects ?? [] };
    last = { index, change };
    return change;
  };

  const taskAt = (index: number): Task | null => {
    const { before, after } = changeAt(index);
    return after ?? before;
  };

  return {
    ...{ folded, difference, foldNext, record, changeAt, taskAt },
    arrowsAt: (index) => arrows[index] ?? [],
    stepAt: (index) => steps[index] ?? null,
    viewAt: (index) => {
      const at = taskAt(index);
      return at === null ? null : taskView(at);
    },
    countsAt: (index) => {
      const place = Math.floor(index / SNAPSHOT_EVERY);
      const until = new Map(kept[place]?.counts);
      for (const taken of arrows.slice(place * SNAPSHOT_EVERY, index + 1))
        for (const id of taken) until.set(id, (until.get(id) ?? 0) + 1);
      return until;
    },
  };
};
