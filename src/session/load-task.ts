import { loadHistory, readEffects } from '../history/load.ts';
import type { StoredHistory } from '../history/stored-history.ts';
import type { LoadedTask, TaskStatus } from './image.ts';

/** Everything that the store has of one task. */
export interface StoredTask extends Omit<StoredHistory, 'task_id' | 'state'> {
  readonly status: TaskStatus;
  /** How often `begun_effect` has begun; null means the open effect. */
  readonly begins: number;
  readonly begun_effect: number | null;
  /** For a running task, the effects of its last entry that asked for any, as JSON. */
  readonly lastEffects: string | null;
  /** The chain of its last entry. */
  readonly chain: string | null;
}

/** Loads a task from what is stored of it. One that diverges has no open effect: it is to pause. */
export const loadTask = ({ status, snapshot, entries, ...stored }: StoredTask): LoadedTask => {
  const { task, unsnapped, divergence } = loadHistory({ ...status, snapshot, entries });
  if (divergence !== null) return { status, task, open: null, begins: 1, unsnapped, divergence, chain: stored.chain };
  const number = task.context.open_effect;
  const open =
    number === null ? null : (readEffects(stored.lastEffects).find(({ effect }) => effect === number) ?? null);
  // The process that asked for an effect has begun it, as far as anybody knows.
  const begins = (stored.begun_effect ?? number) === number ? stored.begins : 1;
  return { status, task, open, begins, unsnapped, divergence, chain: stored.chain };
};
