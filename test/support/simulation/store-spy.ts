import Database from 'better-sqlite3';

/** Reads a store past its engine, whatever becomes of that. */
export interface StoreSpy {
  /** Entries with the outcome of an effect. */
  outcomesOf(effectId: string): number;
  /** Rows of sessions, tasks, turns and entries. */
  rows(): number;
  close(): void;
}

export const spyOnStore = (dataDir: string): StoreSpy => {
  const db = new Database(`${dataDir}/tripact.db`);
  const outcomes = db
    .prepare(
      "SELECT count(*) FROM entries e JOIN tasks t ON t.id = e.task WHERE t.task_id || '.' || (e.event ->> 'effect') = ?",
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
    rows: () => Number(rows.get()),
    close: () => db.close(),
  };
};
