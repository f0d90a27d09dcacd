import type { CallbackState, CallbackType } from '../../../contracts/callback.ts';
import { CALLBACKS_KEPT } from '../../../contracts/limits.ts';
import {
  type CallbackLane,
  type CallbackResult,
  type DroppedCallback,
  type ListedCallback,
  type OutboxMessage,
  type PendingCallback,
  readerOf,
} from '../../engine/outbox/message.ts';
import type { SessionRecord } from '../../engine/session-image.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Page } from '../../lib/page.ts';
import { type Asking, ask, askOne, tell } from '../questions.ts';
import { NEWEST, pageOf } from './pages.ts';
import { findTurn } from './turns.ts';

/** Every so many callbacks those that ended long ago are removed: it reads as many rows of an index as are kept. */
const TRIM_EVERY = 64;

/** Rows removed in one transaction. */
const PRUNED_AT_ONCE = 1_000;

interface ListedRow {
  number: number;
  id: string;
  reader: string;
  owner: string;
  session_id: string;
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

/** A row in a list: its body may be long, and is read when it is posted. */
const LISTED = `SELECT o.number, o.id, o.reader, o.owner, s.session_id, o.event, o.url, o.turn_id, o.state, o.due_at, o.attempts,
    o.last_error, o.created_at, o.ended_at
  FROM outbox o JOIN sessions s ON s.id = o.session`;

const orNull = (at: number | null): string | null => (at === null ? null : iso(at));

const listedCallback = ({ number: _, event, due_at, created_at, ended_at, ...row }: ListedRow): ListedCallback => ({
  ...row,
  type: event,
  target: row.url === null ? 'webhook' : 'callback_url',
  due_at: orNull(due_at),
  created_at: iso(created_at),
  ended_at: orNull(ended_at),
});

/** Adds a message, inside the commit of what it is about. */
export function* addToOutbox(message: OutboxMessage, session: SessionRecord, at: number): Asking<void> {
  const { id, event, url, turn_id, data } = message;
  const { owner } = session;
  yield* tell(
    `INSERT INTO outbox (id, reader, owner, session, event, url, turn_id, data, state, due_at, created_at)
     VALUES (@id, @reader, @owner, @session, @event, @url, @turn_id, @data, 'pending', @at, @at) ON CONFLICT DO NOTHING`,
    {
      id,
      reader: readerOf({ url }, owner),
      owner,
      session: session.id,
      event,
      url,
      turn_id,
      data: data === null ? null : JSON.stringify(data),
      at,
    },
  );
}

/** The callbacks of a session that are still to be posted. */
export const pendingOf = (session: number): Asking<DroppedCallback[]> =>
  ask("SELECT reader, owner FROM outbox WHERE session = @session AND state = 'pending'", { session });

/** Callbacks to be posted, by reader; `owner` null: of all owners. Reads a whole index: for a start. */
export const callbackLanes = (owner: string | null): Asking<CallbackLane[]> =>
  ask(
    `SELECT reader, min(due_at) AS due_at, count(*) AS pending FROM outbox
     WHERE due_at IS NOT NULL AND reader = coalesce(@owner, reader) GROUP BY reader`,
    { owner },
  );

type PendingRow = Omit<PendingCallback, 'data'> & { data: string | null; due_at: number };

/** A reader's oldest callback that is due and not among `open`, with what it says; else when the next one is due, or null. */
export function* nextCallback(
  reader: string,
  now: number,
  open: readonly string[],
): Asking<PendingCallback | number | null> {
  const found = yield* askOne<PendingRow>(
    `SELECT id, reader, owner, event, url, data, turn_id, created_at, attempts, due_at FROM outbox
     WHERE reader = @reader AND due_at IS NOT NULL AND (due_at > @now OR id NOT IN (SELECT value FROM json_each(@open)))
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

/** The readers' callbacks in these states, newest first. */
export function* listCallbacks(
  readers: readonly string[],
  states: readonly CallbackState[],
  limit: number,
  after: string | null,
): Asking<Page<ListedCallback>> {
  const rows: ListedRow[] = [];
  // One index range for each reader and state, so that a page reads no more rows than it gives.
  for (const reader of readers)
    for (const state of states)
      rows.push(
        ...(yield* ask<ListedRow>(
          `${LISTED} WHERE o.reader = @reader AND o.state = @state AND o.number < @before ORDER BY o.number DESC LIMIT @limit`,
          { reader, state, before: Number(after ?? NEWEST), limit },
        )),
      );
  const page = rows.sort((a, b) => b.number - a.number).slice(0, limit);
  return pageOf(page, limit, ({ number }) => number, listedCallback);
}

/** One of the readers' callbacks; null where they have none of that id. */
export function* findCallback(readers: readonly string[], id: string): Asking<ListedCallback | null> {
  const row = yield* askOne<ListedRow>(`${LISTED} WHERE o.id = @id`, { id });
  return row === null || !readers.includes(row.reader) ? null : listedCallback(row);
}

/** Removes the reader's oldest that ended, beyond those that are kept. */
function* trimEnded(reader: string): Asking<void> {
  for (const state of ['delivered', 'given_up'])
    yield* tell(
      `DELETE FROM outbox WHERE reader = @reader AND state = @state AND number < (
         SELECT number FROM outbox WHERE reader = @reader AND state = @state ORDER BY number DESC LIMIT 1 OFFSET @kept)`,
      { reader, state, kept: CALLBACKS_KEPT / 2 - 1 },
    );
}

/** Stores what came of a post; false where the callback was not pending any more. */
export function* settleCallback(id: string, result: CallbackResult, now: number): Asking<boolean> {
  if (result.state === 'pending') {
    const retried = yield* ask(
      `UPDATE outbox SET due_at = @due_at, attempts = attempts + 1, last_error = @error WHERE id = @id AND state = 'pending'
       RETURNING number`,
      { id, due_at: result.retryAt, error: result.error },
    );
    return retried.length > 0;
  }
  if (result.state === 'dropped') {
    const dropped = yield* ask("DELETE FROM outbox WHERE id = @id AND state = 'pending' RETURNING number", { id });
    return dropped.length > 0;
  }
  const { state } = result;
  const ended = yield* askOne<{ number: number; reader: string }>(
    `UPDATE outbox SET state = @state, due_at = NULL, ended_at = @now, attempts = attempts + 1, last_error = @error
     WHERE id = @id AND state = 'pending' RETURNING number, reader`,
    { id, state, now, error: state === 'given_up' ? result.error : null },
  );
  if (ended !== null && ended.number % TRIM_EVERY === 0) yield* trimEnded(ended.reader);
  return ended !== null;
}

/** Makes a callback due now, whatever state it is in; true where it had ended. */
export function* resendCallback(id: string, now: number): Asking<boolean> {
  const ended = yield* ask(
    `UPDATE outbox SET state = 'pending', due_at = @now, ended_at = NULL, attempts = 0 WHERE id = @id AND state <> 'pending'
     RETURNING number`,
    { id, now },
  );
  if (ended.length === 0) yield* tell('UPDATE outbox SET due_at = @now WHERE id = @id AND due_at > @now', { id, now });
  return ended.length > 0;
}

/** Removes some of the callbacks that ended before a time; true where there may be more. */
export function* pruneCallbacks(before: number): Asking<boolean> {
  const removed = yield* ask(
    `DELETE FROM outbox WHERE number IN (
       SELECT number FROM outbox WHERE state <> 'pending' AND ended_at < @before ORDER BY number LIMIT ${PRUNED_AT_ONCE})
     RETURNING number`,
    { before },
  );
  return removed.length === PRUNED_AT_ONCE;
}
