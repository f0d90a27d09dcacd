import Database from 'better-sqlite3';
import { TURN_ROW_BYTES } from '../../../src/store/sqlite/write-changes.ts';

/** Reads a store past its engine, whatever becomes of that. */
export interface StoreSpy {
  /** Entries with the outcome of an effect. */
  outcomesOf(effectId: string): number;
  /** Bytes of all turns and entries. */
  bytes(): number;
  /** Rows of sessions, tasks, turns and entries. */
  rows(): number;
  close(): void;
}

export const spyOnStore = (dataDir: string): StoreSpy => {
  const db = new Database(`${dataDir}/tripact.db`);
  const outcomes = db
    .prepare(
      "SELECT count(*) FROM trace_entries e JOIN tasks t ON t.id = e.task WHERE t.task_id || '.' || (e.event ->> 'effect') = ?",
    )
    .pluck();
  const bytes = db
    .prepare(
      `SELECT (SELECT coalesce(sum(octet_length(event) + coalesce(octet_length(effects), 0)), 0) FROM entries) +
         (SELECT coalesce(sum(${TURN_ROW_BYTES} + octet_length(input) + coalesce(octet_length(reply), 0) +
           coalesce(octet_length(callback_url), 0) + 2 * coalesce(octet_length(idempotency_key), 0)), 0) FROM turns)`,
    )
    .pluck();
  const rows = db
    .prepare(
      `SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM tasks) +
         (SELECT count(*) FROM turns) + (SELECT count(*) FROM entries)`,
    )
    .pluck();
  return {
    outcomesOf: (effectId) => Number(outcomes.get(effectId)),
    bytes: () => Number(bytes.get()),
    rows: () => Number(rows.get()),
    close: () => db.close(),
  };
};
