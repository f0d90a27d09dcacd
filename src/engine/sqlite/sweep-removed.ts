import type { Database } from 'better-sqlite3';
import type { Swept } from '../store.ts';
import { SHARED_ENTRY_BYTES } from './shared-texts.ts';

/** Entries that go in one transaction, at most. */
const SLICE_ENTRIES = 300;

/** Bytes of text that go in one transaction, and then the rest of one entry: it takes a few milliseconds. */
const SLICE_BYTES = 512 * 1024;

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

/** Makes what removes the entries that removed sessions have left, a slice at a time, inside the caller's transaction. */
export const prepareSweep = (db: Database): { isNeeded(): boolean; sweepSlice(): Swept } => {
  const some = db.prepare('SELECT 1 FROM removed_sessions LIMIT 1').pluck();
  // The newest session: it is likely to be removed last, so that a text moves once and not with each removal.
  const find = db.prepare<[], Left>(
    `SELECT e.id, (
       SELECT p.id FROM entries p WHERE p.text_of = e.id AND p.session NOT IN (SELECT id FROM removed_sessions)
       ORDER BY p.session DESC LIMIT 1) AS heir
     FROM removed_sessions r CROSS JOIN entries e ON e.session = r.id ORDER BY r.id, e.seq LIMIT ${SLICE_ENTRIES}`,
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
  const forgetSwept = db.prepare(
    'DELETE FROM removed_sessions WHERE NOT EXISTS (SELECT 1 FROM entries WHERE session = removed_sessions.id)',
  );

  /** The heir's entry takes the row with the text, which others go on finding where it was. Gives its owner. */
  const handOn = (id: number, heir: number, bytes: number): string => {
    const row = place.get(heir)!;
    remove.run(heir);
    take.run({ ...row, id });
    return count.get({ ...row, bytes })!;
  };

  return {
    isNeeded: () => some.get() !== undefined,
    sweepSlice: () => {
      const handedOn = new Map<string, number>();
      let bytes = 0;
      for (const { id, heir } of find.all()) {
        // A reader that was removed with it may have gone with it, too.
        const own = bytesOf.get(id);
        if (own === undefined) continue;
        if (heir === null) {
          removeReaders.run({ id });
          remove.run(id);
        } else {
          const moved = own - SHARED_ENTRY_BYTES;
          const owner = handOn(id, heir, moved);
          handedOn.set(owner, (handedOn.get(owner) ?? 0) + moved);
        }
        bytes += own;
        if (bytes > SLICE_BYTES) break;
      }
      forgetSwept.run();
      return { handedOn, isDone: some.get() === undefined };
    },
  };
};
