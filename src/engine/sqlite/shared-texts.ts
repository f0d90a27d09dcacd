import type { Database } from 'better-sqlite3';
import type { StoredPlace } from '../change.ts';

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
  readonly event: object;
  readonly effects: readonly object[];
}

/** Makes what stores an entry without its text, inside the caller's transaction. */
export const prepareSharedEntries = (db: Database) => {
  const add = db.prepare<[object]>(
    `INSERT INTO entries (session, seq, task, at, machine, state, step_count, event, effects, text_of)
     SELECT @session, @seq, @task, @at, @machine, @state, @step_count, '', NULL, coalesce(e.text_of, e.id)
     FROM entries e WHERE e.session = (SELECT session FROM tasks WHERE task_id = @copied_task) AND e.seq = @copied_seq`,
  );
  const isAlike = db
    .prepare<[string, string | null, number | bigint], number>(
      'SELECT event IS ? AND effects IS ? FROM trace_entries WHERE id = ?',
    )
    .pluck();
  const remove = db.prepare<[number | bigint]>('DELETE FROM entries WHERE id = ?');

  /**
   * Stores an entry that shares the text of the one at `place`. False, and nothing is stored, where that one was removed meanwhile or would
   * be read otherwise, even in a single character.
   */
  return (entry: NewEntry, place: StoredPlace): boolean => {
    const { event, effects, ...row } = entry;
    const { changes, lastInsertRowid } = add.run({ ...row, copied_task: place.task_id, copied_seq: place.seq });
    if (changes === 0) return false;
    const requested = effects.length === 0 ? null : JSON.stringify(effects);
    if (isAlike.get(JSON.stringify(event), requested, lastInsertRowid) === 1) return true;
    remove.run(lastInsertRowid);
    return false;
  };
};
