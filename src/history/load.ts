import { Effect, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { TaskSnapshot } from '../../contracts/task.ts';
import type { Task } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import type { Divergence } from './divergence.ts';
import type { HistoryEntry } from './fold.ts';
import { foldStored } from './fold-stored.ts';
import { type StoredEntry, type StoredHistory, type StoredSnapshot, usesSnapshot } from './stored-history.ts';

/** A task as its history led to it. */
export interface LoadedHistory {
  readonly task: Task;
  /** Entries that were folded: those since the snapshot. */
  readonly unsnapped: number;
  /** Null: this machine folds the history to the same result. Otherwise `task` is from before the first difference. */
  readonly divergence: Divergence | null;
}

/** Parses effects that are stored as JSON; null: none. */
export const readEffects = (text: string | null): Effect[] =>
  text === null ? [] : Effect.array().parse(JSON.parse(text));

const readEntry = (entry: StoredEntry, isFirst: boolean, isCompared: boolean): HistoryEntry => ({
  event: (isFirst ? TaskOpened : TaskEvent).parse(JSON.parse(entry.event)),
  recorded: isCompared ? { ...entry, effects: readEffects(entry.effects) } : null,
});

/**
 * The other machine's snapshot if it is newer than the last entry that both machines agree on, else the task folded so
 * far.
 */
const lastGoodState = (folded: Task, seq: number, saved: StoredSnapshot | null): Task => {
  const snapshot = saved === null || saved.seq < seq ? null : TaskSnapshot.safeParse(JSON.parse(saved.body));
  return snapshot?.success ? snapshot.data : folded;
};

/**
 * Folds a task from its snapshot and the entries after it. If another machine made the history and the task is not
 * finished, compares it from its beginning (SPEC 6); a difference is a result, not an error. Throws for unreadable
 * entries by this machine.
 */
export const loadHistory = ({ task_id, state, snapshot: saved, entries }: StoredHistory): LoadedHistory => {
  const isUsed = saved !== null && usesSnapshot({ state }, saved);
  let task: Task | null = isUsed ? TaskSnapshot.parse(JSON.parse(saved.body)) : null;
  let foreign: string | null = null;
  for (const [i, entry] of entries.entries()) {
    if (entry.machine !== MACHINE) foreign = entry.machine;
    const folded = foldStored(task, entry.seq, () => readEntry(entry, task === null, foreign !== null));
    if (folded.fault !== null) {
      const { fault, step } = folded;
      // Whatever the entry that opens the task records, the task exists and can be paused.
      task ??= step?.task ?? null;
      if (foreign === null || task === null) throw fault.error;
      const divergence = { from: foreign, reason: fault.reason };
      return { task: lastGoodState(task, entry.seq, saved), unsnapped: i + 1, divergence };
    }
    task = folded.step.task;
  }
  if (task === null) throw new Error(`task ${task_id} has no entries`);
  return { task, unsnapped: entries.length, divergence: null };
};
