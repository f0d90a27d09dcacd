/** A history as a store gives it: rows whose JSON nobody has read yet. */
import { isEnded, type TaskState } from '../../contracts/task.ts';
import { MACHINE } from '../../machines/task-machine.ts';

/** An entry as stored; `event` and `effects` are JSON. */
export interface StoredEntry {
  readonly seq: number;
  readonly machine: string;
  readonly state: string | null;
  readonly step_count: number | null;
  readonly event: string;
  readonly effects: string | null;
}

/** A snapshot as stored; `body` is JSON. */
export interface StoredSnapshot {
  readonly seq: number;
  readonly machine: string;
  readonly body: string;
}

/** A task's history as it is stored. */
export interface StoredHistory {
  readonly task_id: string;
  readonly state: TaskState | 'running';
  readonly snapshot: StoredSnapshot | null;
  /** In order: those after the snapshot if `usesSnapshot`, else all. */
  readonly entries: readonly StoredEntry[];
}

/** True if a task is folded from its snapshot: one by this machine, or the last one of a task that is finished. */
export const usesSnapshot = ({ state }: Pick<StoredHistory, 'state'>, { machine }: StoredSnapshot): boolean =>
  machine === MACHINE || (state !== 'running' && isEnded(state));
