import type { Database } from 'better-sqlite3';
import { SHARED_ENTRY_BYTES } from './shared-texts.ts';

/** Entries that one slice of a session looks at, at most. */
const SLICE_ENTRIES = 200;

/** Bytes of text that one slice moves, and then the rest of one entry: they are written within a few milliseconds. */
const SLICE_BYTES = 256 * 1024;

/** An entry of the session, and the row of another session to which its text goes; null where none reads it. */
interface Holder {
  id: number;
  seq: number;
  heir: number | null;
}

interface Row {
  id: number;
  session: number;
  seq: number;
  bytes: number;
}

/** All of an entry but its text. */
const PLACE = 'session, seq, task, at, machine, state, step_count';

/** Makes what hands on the texts that entries of other sessions read in one's rows, inside the caller's transaction. */
export const prepareHandOn = (db: Database) => {
  // The newest session: it is likely to be removed last, so that a text moves once and not with each removal.
  const find = db.prepare<[number, number, number], Holder>(
    `SELECT h.id, h.seq, (
       SELECT p.id FROM entries p WHERE p.text_of = h.id AND p.session <> h.session ORDER BY p.session DESC LIMIT 1) AS heir
     FROM entries h WHERE h.session = ? AND h.seq > ? ORDER BY h.seq LIMIT ?`,
  );
  const row = db.prepare<[number], Row>(
    `SELECT id, ${PLACE}, octet_length(event) + coalesce(octet_length(effects), 0) AS bytes FROM entries WHERE id = ?`,
  );
  const remove = db.prepare<[number]>('DELETE FROM entries WHERE id = ?');
  const take = db.prepare(
    `UPDATE entries SET (${PLACE}) = (@session, @seq, @task, @at, @machine, @state, @step_count), text_of = id WHERE id = @holder`,
  );
  const add = db.prepare(
    `INSERT INTO entries (id, ${PLACE}, event, text_of)
     VALUES (@id, @session, @seq, @task, @at, @machine, @state, @step_count, '', @holder)`,
  );
  const count = db.prepare<[number, number, number]>(
    'UPDATE sessions SET stored_bytes = stored_bytes + ? WHERE id = ? AND counted_seq >= ?',
  );

  /** The two entries change rows: the heir's has the text from now on, which others go on finding where it was. */
  const handOn = (holder: number, heir: number): number => {
    const [own, other] = [row.get(holder)!, row.get(heir)!];
    remove.run(heir);
    take.run({ ...other, holder });
    add.run({ ...own, id: heir, holder });
    const moved = own.bytes - SHARED_ENTRY_BYTES;
    count.run(-moved, own.session, own.seq);
    count.run(moved, other.session, other.seq);
    return own.bytes;
  };

  /** One slice of the entries behind a seq; gives where to go on, null at the end. */
  const handOnSlice = (session: number, after: number): number | null => {
    const page = find.all(session, after, SLICE_ENTRIES);
    let bytes = 0;
    for (const { id, seq, heir } of page) {
      if (heir === null) continue;
      bytes += handOn(id, heir);
      if (bytes > SLICE_BYTES) return seq;
    }
    return page.length < SLICE_ENTRIES ? null : page.at(-1)!.seq;
  };

  return {
    handOnSlice,
    /** All that is left: little, where slices went before. */
    handOnRest: (session: number): void => {
      for (let after: number | null = 0; after !== null; ) after = handOnSlice(session, after);
    },
  };
};
