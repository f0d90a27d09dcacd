import type { Statements } from './statements.ts';

/**
 * Brings the entries' index up to date: both, one after the other, inside one transaction. A session's entries are written by one
 * process, one after the other, so a seq is never there twice; if one ever were, the commits of all others must not fail by it.
 */
export const INDEX_ENTRIES = {
  newest: `INSERT OR IGNORE INTO entry_index
    SELECT session, seq, id FROM entries WHERE id > (SELECT up_to FROM entry_index_end)`,
  end: 'UPDATE entry_index_end SET up_to = coalesce((SELECT max(id) FROM entries), 0)',
};

/**
 * Entries between two times that the index is brought up to date. One at a time each would cost a page of the index beside its
 * own; much later, and whoever reads a session's newest entries looks through too many.
 */
const INDEX_EVERY = 1_024;

/** An entry's columns, in their order: session, seq, task, at, machine, state, step_count, event, effects. */
export type EntryColumns = [
  session: number,
  seq: number,
  task: number | null,
  at: number,
  machine: number,
  state: string | null,
  stepCount: number | null,
  event: string,
  effects: string | null,
];

/** Brings the entries' index up to date, inside the caller's transaction. */
export const indexEntries = (statements: Pick<Statements, 'indexNewest' | 'setIndexEnd'>): void => {
  statements.indexNewest.run();
  statements.setIndexEnd.run();
};

/** Writes one entry, inside the caller's transaction; its session's last seq must be the one before. */
export const appendEntry = (statements: Statements, columns: EntryColumns): void => {
  const { lastInsertRowid } = statements.addEntry.run(...columns);
  if (Number(lastInsertRowid) % INDEX_EVERY === 0) indexEntries(statements);
};
