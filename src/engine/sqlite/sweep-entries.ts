import type { Database } from 'better-sqlite3';
import { NOT_REMOVED } from './removed-sessions.ts';
import { SHARED_ENTRY_BYTES } from './shared-texts.ts';
import { SLICE_ROWS, type SliceBudget } from './slice-budget.ts';

/** An entry of a removed session, and the row of a session to which its text goes; null where none reads it. */
interface Left {
  id: number;
  heir: number | null;
}

interface Row {
  session: number;
  seq: number;
}

/** All of an entry but its text. */
const PLACE = 'session, seq, task, at, machine, state, step_count';

/**
 * Makes what removes entries of a removed session as far as the budget goes, inside the caller's transaction. What a fork reads it takes over; adds to
 * `handedOn` the bytes that each owner's forks have taken.
 */
export const prepareEntrySweep = (db: Database) => {
  // The newest session: it is likely to be removed last, so that a text moves once and not with each removal.
  const find = db.prepare<[number], Left>(
    `SELECT e.id, (
       SELECT p.id FROM entries p WHERE p.text_of = e.id AND p.session ${NOT_REMOVED}
       ORDER BY p.session DESC LIMIT 1) AS heir
     FROM entries e WHERE e.session = CAST(? AS INTEGER) ORDER BY e.seq LIMIT ${SLICE_ROWS}`,
  );
  const bytesOf = db
    .prepare<[number], number>(
      'SELECT octet_length(event) + coalesce(octet_length(effects), 0) FROM entries WHERE id = ?',
    )
    .pluck();
  const place = db.prepare<[number], Row>(`SELECT ${PLACE} FROM entries WHERE id = ?`);
  const removeReaders = db.prepare<[{ id: number }]>('DELETE FROM entries WHERE text_of = @id AND id <> @id');
  const remove = db.prepare<[number]>('DELETE FROM entries WHERE id = ?');
  const take = db.prepare(
    `UPDATE entries SET (${PLACE}) = (@session, @seq, @task, @at, @machine, @state, @step_count), text_of = id WHERE id = @id`,
  );
  const count = db
    .prepare<[object], string>(
      'UPDATE sessions SET stored_bytes = stored_bytes + iif(counted_seq >= @seq, @bytes, 0) WHERE id = @session RETURNING owner',
    )
    .pluck();

  /** The heir's entry takes the row with the text, which others go on finding where it was. Gives its owner. */
  const handOn = (id: number, heir: number, bytes: number): string => {
    const row = place.get(heir)!;
    remove.run(heir);
    take.run({ ...row, id });
    return count.get({ ...row, bytes })!;
  };

  return (session: number, budget: SliceBudget, handedOn: Map<string, number>): void => {
    for (const { id, heir } of find.all(session)) {
      if (!budget.isLeft()) return;
      // Null: a reader that was removed with the entry whose text it read.
      const own = bytesOf.get(id) ?? null;
      let readers = 0;
      if (own !== null && heir === null) {
        readers = removeReaders.run({ id }).changes;
        remove.run(id);
      } else if (own !== null && heir !== null) {
        const moved = own - SHARED_ENTRY_BYTES;
        const owner = handOn(id, heir, moved);
        handedOn.set(owner, (handedOn.get(owner) ?? 0) + moved);
      }
      budget.use(own ?? 0, 1 + readers);
    }
  };
};
