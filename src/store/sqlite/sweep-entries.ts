import type { Database } from 'better-sqlite3';
import { SHARED_ENTRY_BYTES } from './shared-texts.ts';
import type { SliceBudget } from './slice-budget.ts';

/** The first entry of a removed session, and the newest row that reads its text; null where none does. */
interface Left {
  id: number;
  reader: number | null;
  /** The reader's session was removed, too. */
  is_removed: 0 | 1 | null;
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
    `SELECT e.id, r.id AS reader, r.session IN (SELECT id FROM removed_sessions) AS is_removed
     FROM entries e LEFT JOIN entries r ON r.id = (
       SELECT p.id FROM entries p WHERE p.text_of = e.id AND p.id <> e.id ORDER BY p.session DESC LIMIT 1)
     WHERE e.session = CAST(? AS INTEGER) ORDER BY e.seq LIMIT 1`,
  );
  const bytesOf = db
    .prepare<[number], number>(
      'SELECT octet_length(event) + coalesce(octet_length(effects), 0) FROM entries WHERE id = ?',
    )
    .pluck();
  const place = db.prepare<[number], Row>(`SELECT ${PLACE} FROM entries WHERE id = ?`);
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
    for (let left = find.get(session); left !== undefined && budget.isLeft(); left = find.get(session)) {
      const { id, reader, is_removed } = left;
      if (reader !== null && is_removed === 1) {
        remove.run(reader);
        budget.use(0);
        continue;
      }
      const own = bytesOf.get(id)!;
      if (reader === null) remove.run(id);
      else {
        const moved = own - SHARED_ENTRY_BYTES;
        const owner = handOn(id, reader, moved);
        handedOn.set(owner, (handedOn.get(owner) ?? 0) + moved);
      }
      budget.use(own);
    }
  };
};
