import type { Effect } from '../../../contracts/effect.ts';
import type { TurnReply } from '../session-head.ts';

/** A session's row; times are epoch milliseconds. */
export interface SessionRow {
  id: number;
  owner: string;
  session_id: string;
  timezone: string;
  created_at: number;
  updated_at: number;
}

/** A task's row. `state` is `running` from its opening or resuming until it comes to rest. */
export interface TaskRow {
  id: number;
  task_id: string;
  session: number;
  state: string;
  first_seq: number;
  touched_at_seq: number;
  begins: number;
  begun_effect: string | null;
  view: string | null;
}

/** A trace entry's row; `task_id` and `machine` are names. */
export interface EntryRow {
  seq: number;
  task: number | null;
  task_id: string | null;
  at: number;
  machine: string;
  state: string | null;
  step_count: number | null;
  event: string;
  effects: string | null;
}

/** A turn's row, with its session's and task's public ids. */
export interface TurnRow {
  turn_id: string;
  session_id: string;
  task_id: string | null;
  kind: 'task' | 'command';
  status: string;
  input: string;
  confirm_plan: number | null;
  callback_url: string | null;
  body_hash: string | null;
  reply: string | null;
  /** Its task's view, once that has ended. */
  view: string | null;
  created_at: number;
  finished_at: number | null;
}

/** A finished turn's reply as its row holds it; without the task where that ended with it, for the task's own row has its view. */
export type StoredReply = Omit<TurnReply, 'status'>;

/** The effects of an entry as its row holds them. */
export const effectsText = (effects: Effect[]): string | null =>
  effects.length === 0 ? null : JSON.stringify(effects);
