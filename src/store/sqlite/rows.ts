import type { TurnReply } from '../../engine/change.ts';
import type { StoredEntry } from '../../engine/fold-task.ts';

/** A session's row; times are epoch milliseconds. */
export interface SessionRow {
  id: number;
  owner: string;
  session_id: string;
  timezone: string;
  created_at: number;
  updated_at: number;
  turn_count: number;
  copied_bytes: number;
}

/** A task's row. `state` is `running` from when it is opened or resumed until it settles. */
export interface TaskRow {
  id: number;
  task_id: string;
  session: number;
  state: string;
  first_seq: number;
  touched_at_seq: number;
  attempts: number;
  attempted_effect: string | null;
  view: string | null;
}

/** The row of a task that waits for its owner, with its session's name. */
export interface WaitingRow extends TaskRow {
  session_id: string;
  question: string | null;
  /** Epoch milliseconds. */
  waiting_since: number;
}

/** A trace entry's row; `task_id` and `machine` are names. */
export interface EntryRow extends StoredEntry {
  task_id: string | null;
  at: number;
}

/** A turn's row, with its session's and task's public ids. */
export interface TurnRow {
  id: number;
  owner: string;
  turn_id: string;
  session_id: string;
  task_id: string | null;
  kind: 'task' | 'command';
  status: string;
  input: string;
  confirm_plan: number | null;
  planning: number | null;
  conversation: number | null;
  callback_url: string | null;
  body_hash: string | null;
  reply: string | null;
  /** Its task's view, where that is settled. */
  view: string | null;
  created_at: number;
  finished_at: number | null;
}

/** A finished turn's reply as stored in its row; without the task where that ended with it, for the task's own row has its view. */
export type StoredReply = Omit<TurnReply, 'status'>;
