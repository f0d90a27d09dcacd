import type { Database } from 'better-sqlite3';
import type { ForkIds } from '../../engine/fork-history.ts';
import type { ForkedText } from '../port.ts';
import { NOT_REMOVED } from './removed-sessions.ts';

/** What an entry without a text of its own is charged, in bytes: its row and its places in two indexes take about as much. */
export const SHARED_ENTRY_BYTES = 64;

/** What an entry `e` is charged: its text, or its row alone where another row has the text. */
export const ENTRY_BYTES = `octet_length(e.event) + coalesce(octet_length(e.effects), 0) + iif(e.text_of <> e.id, ${SHARED_ENTRY_BYTES}, 0)`;

/** An entry as it is to be stored. */
interface NewEntry {
  readonly session: number;
  readonly seq: number;
  readonly task: number | null;
  readonly at: number;
  readonly machine: number;
  readonly state: string | null;
  readonly step_count: number | null;
  /** The row that has its text. */
  readonly text: number;
}

/** Makes what stores entries without their texts, inside the caller's transaction. */
export const prepareSharedEntries = (db: Database) => {
  const add = db.prepare<[object]>(
    `INSERT INTO entries (session, seq, task, at, machine, state, step_count, event, effects, text_of)
     VALUES (@session, @seq, @task, @at, @machine, @state, @step_count, '', NULL, @text)`,
  );
  const hasTask = db
    .prepare<[string], number>(`SELECT 1 FROM tasks WHERE task_id = ? AND session ${NOT_REMOVED}`)
    .pluck();
  return {
    /** False where a task was removed: what was read of its texts is true no more. */
    hasTexts: (taskId: string): boolean => hasTask.get(taskId) !== undefined,
    /** Stores an entry with a text that an entry of a task has, which is still there. */
    add: (row: NewEntry): void => void add.run(row),
  };
};

/**
 * Makes what finds the row with the text of a session's entry, where it would read as `text` does, to the character, in an entry of a fork; null where it would not.
 * It has the text for as long as the entry's session is there: who takes a text over takes the row.
 */
export const prepareFindText = (db: Database) => {
  // As the view `trace_entries` reads it for a row that has it. SQLite would plan each call anew for the numbers without the casts.
  const find = db
    .prepare<[object], number>(
      `SELECT h.id FROM entries e JOIN entries h ON h.id = coalesce(e.text_of, e.id)
       WHERE e.session = CAST(@session AS INTEGER) AND e.seq = CAST(@seq AS INTEGER)
        AND json_replace(h.event, '$.task_id', @task_id, '$.session_id', @session_id) IS @event AND h.effects IS @effects`,
    )
    .pluck();
  return (session: number, ids: ForkIds, text: ForkedText): number | null =>
    find.get({ session, ...ids, ...text }) ?? null;
};
