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
  /** Null where this machine folds the history as it was made; else `task` is from before the first difference. */
  readonly divergence: Divergence | null;
}

/** Reads effects that are stored as JSON; null: there are none. */
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
 * Folds a task from its snapshot and the entries behind it. A history of another machine that acts on is compared from its beginning
 * (SPEC 6): where it differs, that is the result and no error. Throws for what this machine made and can not read.
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
      // An entry that opens the task leaves one to pause, whatever it says of it.
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
