import type { CallbackState, CallbackType } from '../../../contracts/callback.ts';
import { iso, isoOrNull } from '../../lib/iso-time.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { execute, type Queries, query, queryOne } from '../../lib/queries.ts';
import type { SessionRecord } from '../../session/image.ts';
import {
  type CallbackKey,
  type CallbackLane,
  type CallbackResult,
  type ListedCallback,
  type OutboxMessage,
  type PendingCallback,
  readerOf,
  WEBHOOK_READER,
} from '../../session/outbox-message.ts';
import { NEWEST, pageOf } from './pages.ts';
import { findTurn } from './turns.ts';

interface ListedRow extends Omit<ListedCallback, 'type' | 'target' | 'due_at' | 'created_at' | 'ended_at'> {
  event: CallbackType;
  due_at: number | null;
  created_at: number;
  ended_at: number | null;
}

/** A row in a list, without its body, which may be long and is read when it is posted. */
const LISTED = `o.id, o.reader, o.owner, s.session_id, o.event, o.url, o.turn_id, o.state, o.due_at, o.attempts,
    o.last_error, o.created_at, o.ended_at
  FROM outbox o JOIN sessions s ON {s.owner = o.owner AND} s.id = o.session`;

/** The condition for a reader's rows: an owner's own, or those of all owners for the service's webhook. */
const isRead = (reader: string, outbox = ''): string =>
  `${outbox}reader = @reader${reader === WEBHOOK_READER ? '' : ` {AND ${outbox}owner = @reader}`}`;

const listedCallback = ({ event, due_at, created_at, ended_at, ...row }: ListedRow): ListedCallback => ({
  ...row,
  type: event,
  target: row.url === null ? 'webhook' : 'callback_url',
  due_at: isoOrNull(due_at),
  created_at: iso(created_at),
  ended_at: isoOrNull(ended_at),
});

export function* addToOutbox(message: OutboxMessage, session: SessionRecord, at: number): Queries<void> {
  const { id, owner } = session;
  yield* execute(
    `INSERT INTO outbox (id, reader, owner, session, event, url, turn_id, data, state, due_at, created_at)
     VALUES (@id, @reader, @owner, @session, @event, @url, @turn_id, @data, 'pending', @at, @at) ON CONFLICT DO NOTHING`,
    {
      ...message,
      owner,
      session: id,
      at,
      reader: readerOf(message, owner),
      data: message.data === null ? null : JSON.stringify(message.data),
    },
  );
}

/** Who has callbacks to be posted, and when; null: of all readers. Reads a whole index: for a start. */
export const callbackLanes = (reader: string | null): Queries<CallbackLane[]> =>
  query(
    `SELECT reader, min(due_at) AS due_at FROM outbox
     WHERE due_at IS NOT NULL AND ${reader === null ? 'true' : isRead(reader)} GROUP BY reader`,
    { reader },
  );

type PendingRow = Omit<PendingCallback, 'data'> & { data: string | null; due_at: number };

/**
 * A reader's oldest due callback that is not in `open`, with its content; otherwise when the next one is due, or null.
 */
export function* nextCallback(
  reader: string,
  now: number,
  open: readonly string[],
): Queries<PendingCallback | number | null> {
  const found = yield* queryOne<PendingRow>(
    `SELECT id, reader, owner, event, url, data, turn_id, created_at, attempts, due_at FROM outbox
     WHERE ${isRead(reader)} AND due_at IS NOT NULL AND (due_at > @now OR id NOT IN (SELECT value FROM json_each(@open)))
     ORDER BY due_at, number LIMIT 1`,
    { reader, now, open: JSON.stringify(open) },
  );
  if (found === null) return null;
  const { due_at, ...row } = found;
  if (due_at > now) return due_at;
  const { owner, turn_id } = row;
  if (turn_id !== null) return { ...row, data: (yield* findTurn(owner, 'id', turn_id))?.turn ?? null };
  return { ...row, data: row.data === null ? null : JSON.parse(row.data) };
}

export function* listCallbacks(
  readers: readonly string[],
  states: readonly CallbackState[],
  { limit, after }: PageRequest,
): Queries<Page<ListedCallback>> {
  /** By number, since a row may change its state between two queries. */
  const rows = new Map<number, ListedRow & { cursor: number }>();
  // One index range for each reader and state, so that a page reads only its own rows.
  for (const reader of readers)
    for (const state of states)
      for (const row of yield* query<ListedRow & { cursor: number }>(
        `SELECT o.number AS cursor, ${LISTED} WHERE ${isRead(reader, 'o.')} AND o.state = @state AND o.number < @before
         ORDER BY o.number DESC LIMIT @limit`,
        { reader, state, before: Number(after ?? NEWEST), limit },
      ))
        rows.set(row.cursor, row);
  const page = [...rows.values()].sort((a, b) => b.cursor - a.cursor).slice(0, limit);
  return pageOf(page, limit, listedCallback);
}

/** One of the readers' callbacks; null: they have none with that id. */
export function* findCallback(readers: readonly string[], id: string): Queries<ListedCallback | null> {
  for (const reader of readers) {
    const sql = `SELECT ${LISTED} WHERE ${isRead(reader, 'o.')} AND o.id = @id`;
    const row = yield* queryOne<ListedRow>(sql, { reader, id });
    if (row !== null) return listedCallback(row);
  }
  return null;
}

/** Stores the outcome of a post; false: the callback was no longer pending. */
export function* settleCallback({ owner, id }: CallbackKey, result: CallbackResult, now: number): Queries<boolean> {
  const { state } = result;
  const pending = "WHERE {owner = @owner AND} id = @id AND state = 'pending' RETURNING number";
  if (state === 'dropped') return (yield* query(`DELETE FROM outbox ${pending}`, { owner, id })).length > 0;
  const settled = yield* query(
    `UPDATE outbox SET state = @state, due_at = @due_at, ended_at = @ended_at, attempts = attempts + 1, last_error = @error ${pending}`,
    {
      owner,
      id,
      state,
      due_at: state === 'pending' ? result.retryAt : null,
      ended_at: state === 'pending' ? null : now,
      error: state === 'delivered' ? null : result.error,
    },
  );
  return settled.length > 0;
}

/** Makes a callback due at `now`, whatever state it is in. */
export function* resendCallback({ owner, id }: CallbackKey, now: number): Queries<void> {
  const which = 'WHERE {owner = @owner AND} id = @id';
  yield* execute(`UPDATE outbox SET due_at = @now ${which} AND due_at > @now`, { owner, id, now });
  yield* execute(
    `UPDATE outbox SET state = 'pending', due_at = @now, ended_at = NULL, attempts = 0 ${which} AND state <> 'pending'`,
    { owner, id, now },
  );
}
