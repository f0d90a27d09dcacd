import type { Database } from 'better-sqlite3';
import type { CallbackState, CallbackType } from '../../../contracts/callback.ts';
import { CALLBACKS_KEPT } from '../../../contracts/limits.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import {
  type CallbackLane,
  type CallbackResult,
  type ListedCallback,
  type OutboxMessage,
  type PendingCallback,
  readerOf,
} from '../../engine/outbox/message.ts';
import type { SessionRecord } from '../../engine/session-image.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Page } from '../../lib/page.ts';

/** Every so many callbacks those that ended long ago are removed: it reads as many rows of an index as are kept. */
const TRIM_EVERY = 64;

/** Rows changed at once. */
const SLICE_ROWS = 300;

/** Rows that are gone through at once when old ones are removed. */
const PRUNE_ROWS = 2_000;

interface OutboxRow extends ListedRow {
  data: string | null;
}

interface ListedRow {
  number: number;
  id: string;
  reader: string;
  owner: string;
  session_id: string | null;
  event: CallbackType;
  url: string | null;
  turn_id: string | null;
  state: CallbackState;
  due_at: number | null;
  attempts: number;
  last_error: string | null;
  created_at: number;
  ended_at: number | null;
}

/** What a list shows of a row: what it says may be long, and is read when it is posted. */
const LISTED = `number, id, reader, owner, (SELECT session_id FROM sessions WHERE id = outbox.session) AS session_id, event, url,
  turn_id, state, due_at, attempts, last_error, created_at, ended_at`;

const orNull = (at: number | null): string | null => (at === null ? null : iso(at));

const listed = ({ number: _, due_at, created_at, ended_at, ...row }: ListedRow): ListedCallback => ({
  id: row.id,
  type: row.event,
  target: row.url === null ? 'webhook' : 'callback_url',
  url: row.url,
  owner: row.owner,
  session_id: row.session_id,
  turn_id: row.turn_id,
  state: row.state,
  attempts: row.attempts,
  due_at: orNull(due_at),
  last_error: row.last_error,
  created_at: iso(created_at),
  ended_at: orNull(ended_at),
  reader: row.reader,
});

const parsed = (text: string): object | null => {
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
};

/** Counts what is to be posted. Reads a whole index, so it is for a start and no request. */
export const callbackLanes = (db: Database): CallbackLane[] =>
  db
    .prepare<[], CallbackLane>(
      `SELECT reader, min(due_at) AS due_at, count(*) AS pending FROM outbox INDEXED BY outbox_due
       WHERE due_at IS NOT NULL GROUP BY reader`,
    )
    .all();

/** Makes the statements of the outbox that read. `turnOf` shows a finished turn; null where it is gone or can't be read. */
export const prepareOutboxReads = (db: Database, turnOf: (owner: string, turnId: string) => TurnView | null) => {
  const due = db
    .prepare<[string, number, number], string>(
      'SELECT id FROM outbox INDEXED BY outbox_due WHERE reader = ? AND due_at <= ? ORDER BY due_at, number LIMIT ?',
    )
    .pluck();
  const nextAt = db
    .prepare<[string, number], number>(
      'SELECT due_at FROM outbox INDEXED BY outbox_due WHERE reader = ? AND due_at > ? ORDER BY due_at LIMIT 1',
    )
    .pluck();
  const byId = db.prepare<[string], OutboxRow>(`SELECT ${LISTED}, data FROM outbox WHERE id = ?`);
  // One index range for each reader and state, so that a page reads no more rows than it gives.
  const page = db.prepare<[string, string, number, number], ListedRow>(
    `SELECT ${LISTED} FROM outbox INDEXED BY outbox_by_state
     WHERE reader = ? AND state = ? AND number < ? ORDER BY number DESC LIMIT ?`,
  );
  return {
    dueIds: (reader: string, now: number, limit: number): string[] => due.all(reader, now, limit),
    nextAt: (reader: string, now: number): number | null => nextAt.get(reader, now) ?? null,
    pending: (id: string): PendingCallback | null => {
      const row = byId.get(id);
      if (row === undefined || row.state !== 'pending') return null;
      const { reader, owner, event, url, turn_id, created_at, attempts } = row;
      const own = row.data === null ? null : parsed(row.data);
      const data = turn_id === null ? own : turnOf(owner, turn_id);
      return { id, reader, owner, event, url, data, turn_id, created_at, attempts };
    },
    /** Newest first. */
    list: (
      readers: readonly string[],
      states: readonly CallbackState[],
      limit: number,
      after: string | null,
    ): Page<ListedCallback> => {
      const before = Number(after ?? Number.MAX_SAFE_INTEGER);
      const rows = readers
        .flatMap((reader) => states.flatMap((state) => page.all(reader, state, before, limit)))
        .sort((a, b) => b.number - a.number)
        .slice(0, limit);
      const last = rows.at(-1);
      return { items: rows.map(listed), next: last === undefined || rows.length < limit ? null : String(last.number) };
    },
    /** Null where none of the readers has it. */
    find: (readers: readonly string[], id: string): ListedCallback | null => {
      const row = byId.get(id);
      return row === undefined || !readers.includes(row.reader) ? null : listed(row);
    },
  };
};

/** Makes the statements of the outbox that write, inside the caller's transaction. */
export const prepareOutboxWrites = (db: Database) => {
  const add = db.prepare(
    `INSERT INTO outbox (id, reader, owner, session, event, url, turn_id, data, state, due_at, created_at)
     VALUES (@id, @reader, @owner, @session, @event, @url, @turn_id, @data, 'pending', @at, @at) ON CONFLICT DO NOTHING`,
  );
  const retry = db.prepare(
    `UPDATE outbox SET due_at = @due_at, attempts = attempts + 1, last_error = @error WHERE id = @id AND state = 'pending'`,
  );
  const end = db.prepare<[object], { number: number; reader: string }>(
    `UPDATE outbox SET state = @state, due_at = NULL, ended_at = @now, attempts = attempts + 1, last_error = @error
     WHERE id = @id AND state = 'pending' RETURNING number, reader`,
  );
  const drop = db.prepare("DELETE FROM outbox WHERE id = ? AND state = 'pending'");
  const trim = db.prepare(
    `DELETE FROM outbox WHERE number IN
       (SELECT number FROM outbox INDEXED BY outbox_by_state WHERE reader = @reader AND state = @state AND number <
         (SELECT number FROM outbox INDEXED BY outbox_by_state WHERE reader = @reader AND state = @state
          ORDER BY number DESC LIMIT 1 OFFSET @kept - 1)
        ORDER BY number LIMIT ${SLICE_ROWS})`,
  );
  const giveUpOldest = db.prepare(
    `UPDATE outbox SET state = 'given_up', due_at = NULL, ended_at = @now, last_error = 'too many were pending' WHERE number IN
       (SELECT number FROM outbox INDEXED BY outbox_by_state WHERE reader = @reader AND state = 'pending' ORDER BY number LIMIT @count)`,
  );
  const prune = db.prepare(
    "DELETE FROM outbox WHERE number > @after AND number <= @after + @rows AND state <> 'pending' AND ended_at < @before",
  );
  const firstAfter = db.prepare<[number], Pick<OutboxRow, 'number' | 'created_at'>>(
    'SELECT number, created_at FROM outbox WHERE number > ? ORDER BY number LIMIT 1',
  );
  const resendEnded = db.prepare(
    "UPDATE outbox SET state = 'pending', due_at = @now, ended_at = NULL, attempts = 0 WHERE id = @id AND state <> 'pending'",
  );
  const hurry = db.prepare("UPDATE outbox SET due_at = min(due_at, @now) WHERE id = @id AND state = 'pending'");

  const hurryAll = db.prepare(
    `UPDATE outbox SET due_at = @at WHERE number IN
       (SELECT number FROM outbox INDEXED BY outbox_due WHERE reader = @reader AND due_at > @after LIMIT ${SLICE_ROWS})`,
  );

  const trimEnded = (reader: string, state: 'delivered' | 'given_up'): void =>
    void trim.run({ reader, state, kept: CALLBACKS_KEPT / 2 });

  const endOf = (id: string, result: Extract<CallbackResult, { state: 'delivered' | 'given_up' }>, now: number) => {
    const { state } = result;
    const row = end.get({ id, state, now, error: state === 'given_up' ? result.error : null });
    if (row !== undefined && row.number % TRIM_EVERY === 0)
      for (const each of ['delivered', 'given_up'] as const) trimEnded(row.reader, each);
    return row !== undefined;
  };

  return {
    add: ({ id, event, url, turn_id, data }: OutboxMessage, session: SessionRecord, at: number): void => {
      const text = data === null ? null : JSON.stringify(data);
      const { owner } = session;
      add.run({
        id,
        reader: readerOf({ url }, owner),
        owner,
        session: session.id,
        event,
        url,
        turn_id,
        data: text,
        at,
      });
    },
    /** False where it was not pending any more. */
    settle: (id: string, result: CallbackResult, now: number): boolean => {
      switch (result.state) {
        case 'pending':
          return retry.run({ id, due_at: result.retryAt, error: result.error }).changes > 0;
        case 'dropped':
          return drop.run(id).changes > 0;
        case 'delivered':
        case 'given_up':
          return endOf(id, result, now);
        default:
          return result satisfies never;
      }
    },
    /** Gives up some of so many at once, and gives how many; those that were given up long ago go. */
    giveUpOldest: (reader: string, count: number, now: number): number => {
      const { changes } = giveUpOldest.run({ reader, count: Math.min(count, SLICE_ROWS), now });
      trimEnded(reader, 'given_up');
      return changes;
    },
    /** What is due later than `after` is due at `at`, some of it at once; true where there may be more. */
    hurryAll: (reader: string, after: number, at: number): boolean =>
      hurryAll.run({ reader, after, at }).changes === SLICE_ROWS,
    /** Removes some of what ended before a time, and gives after which row there may be more; null: there is none. */
    prune: (before: number, after: number): number | null => {
      prune.run({ after, before, rows: PRUNE_ROWS });
      const next = firstAfter.get(after + PRUNE_ROWS);
      return next === undefined || next.created_at >= before ? null : next.number - 1;
    },
    /** True where it had ended. */
    resend: (id: string, now: number): boolean => {
      if (resendEnded.run({ id, now }).changes > 0) return true;
      hurry.run({ id, now });
      return false;
    },
  };
};

export type OutboxWrites = ReturnType<typeof prepareOutboxWrites>;
