/**
 * The chain of a record: each entry has the SHA-256 of the previous chain and its own text, so a known later chain
 * reveals every earlier change (SPEC 12). Each task has its own chain, and so do a session's events outside of tasks.
 */
import type { TaskOpened } from '../../contracts/event.ts';

/** SHA-256 of a text in UTF-8, as 64 hex digits. The caller provides it: Node and browsers have different fast ones. */
export type Sha256 = (text: string) => string;

/** The chained members of an entry, as written on its line; `event` and `effects` are JSON. */
export interface EntryText {
  readonly v: number;
  readonly seq: number;
  /** ISO 8601. */
  readonly at: string;
  readonly session_id: string;
  readonly task_id: string | null;
  readonly machine: string;
  readonly event: string;
  readonly state: string | null;
  readonly step_count: number | null;
  readonly effects: string;
}

/** The text of an entry: its line without `chain`, which is the last member. */
export const entryText = (entry: EntryText): string => {
  const { v, seq, at, session_id, task_id, machine, event, state, step_count, effects } = entry;
  const task = task_id === null ? 'null' : `"${task_id}"`;
  const made = state === null ? 'null' : `"${state}"`;
  return `{"v":${v},"seq":${seq},"at":"${at}","session_id":${JSON.stringify(session_id)},"task_id":${task},"machine":"${machine}","event":${event},"state":${made},"step_count":${step_count},"effects":${effects}}`;
};

/** The chain of an entry; `before` is null for the first one that is chained. */
export const chainOf = (sha256: Sha256, before: string | null, text: string): string => sha256((before ?? '') + text);

/** A copy of a task's opening event for a fork, with the chain of the entry that the fork follows. */
export const openedFrom = (opened: TaskOpened, chain: string | undefined): TaskOpened => {
  const { chained_from: _, ...own } = opened;
  return chain === undefined ? own : { ...own, chained_from: chain };
};
