import type { Page, PageRequest } from '../../lib/page.ts';
import { execute, isOf, type Queries, query, queryOne } from '../../lib/queries.ts';
import type { ActHashes } from '../../session/change.ts';
import type { SessionKey } from '../../session/image.ts';
import type { RemovableQuery, RemovableSession } from '../port.ts';
import { keepHashes } from './audit.ts';
import { forgetUnusedTexts } from './calls.ts';
import type { SqlDatabase } from './database.ts';
import { OWNER_TABLES } from './owner-transfer.ts';
import { pageOf } from './pages.ts';
import { sessionRow } from './sessions.ts';

/** Sessions examined by one query: some milliseconds. If none of them is removable, the page is empty. */
const SEEN_AT_ONCE = 500;

/**
 * Removes a session with everything that belongs to it. Todos, schedule and reminders stay, as they belong to the
 * owner; the hashes of its acts stay, as they belong to the audit. `at`: epoch milliseconds. `hashes`: those that were
 * read before; null: none were.
 */
export function* removeSession({ owner, session_id }: SessionKey, at: number, hashes: ActHashes | null): Queries<void> {
  const key = { owner, session_id };
  const row = yield* sessionRow(key);
  if (row !== null) yield* keepHashes(row, at, hashes);
  yield* execute('DELETE FROM remembered_conversations WHERE owner = @owner AND session_id = @session_id', key);
  yield* execute('DELETE FROM sessions WHERE owner = @owner AND session_id = @session_id', key);
  yield* forgetUnusedTexts(owner);
  yield* execute(
    'INSERT INTO removed_sessions (owner, session_id) VALUES (@owner, @session_id) ON CONFLICT DO NOTHING',
    key,
  );
}

/**
 * Removes the remaining data of an owner whose sessions are removed; false: nothing was stored; null: a session is
 * left.
 */
export function* removeOwner(owner: string): Queries<boolean | null> {
  if ((yield* queryOne('SELECT 1 AS one FROM sessions WHERE owner = @owner LIMIT 1', { owner })) !== null) return null;
  let isKnown = false;
  // Rows of other tables are removed with those that they refer to.
  for (const table of [...OWNER_TABLES, 'removed_sessions']) {
    isKnown ||= (yield* queryOne(`SELECT 1 AS one FROM ${table} WHERE owner = @owner LIMIT 1`, { owner })) !== null;
    yield* execute(`DELETE FROM ${table} WHERE owner = @owner`, { owner });
  }
  return isKnown;
}

interface Row extends RemovableSession {
  cursor: number;
}

/** Old sessions with nothing open: no running task, unfinished turn, callback, or pending reminder or goal. */
const removable = (owner: string | null): string => `
  SELECT id AS cursor, owner, session_id, CASE WHEN changed_at > updated_at THEN changed_at ELSE updated_at END AS last_used_at FROM (
    SELECT s.id, s.owner, s.session_id, s.updated_at,
      coalesce((SELECT at FROM entries WHERE {owner = s.owner AND} session = s.id ORDER BY seq DESC LIMIT 1), 0) AS changed_at
    FROM sessions s WHERE ${isOf(owner)} AND s.id > @after AND s.id <= @last AND s.updated_at < @before
      AND NOT EXISTS (SELECT 1 FROM turns u WHERE u.owner = s.owner AND u.session = s.id AND u.finished_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.owner = s.owner AND r.session_id = s.session_id AND r.due_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM goals g WHERE g.owner = s.owner AND g.session_id = s.session_id)
      AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.owner = s.owner AND t.session = s.id
        AND t.state IN (SELECT value FROM json_each(@open)))
      AND NOT EXISTS (SELECT 1 FROM outbox o WHERE {o.owner = s.owner AND} o.session = s.id AND o.state = 'pending')) AS old
  WHERE changed_at < @before ORDER BY id LIMIT @limit`;

/** Finds sessions that may be removed. A page may be shorter than its limit without being the last. Removes nothing. */
export function* findRemovable(wanted: RemovableQuery): Queries<Page<RemovableSession>> {
  const { owner = null, before, includeWaiting, limit } = wanted;
  const after = Number(wanted.after ?? 0);
  const seen = yield* query<{ id: number }>(
    `SELECT id FROM sessions WHERE ${isOf(owner)} AND id > @after ORDER BY id LIMIT @count`,
    { owner, after, count: SEEN_AT_ONCE },
  );
  const last = seen.at(-1)?.id ?? after;
  const open = ['running', ...(includeWaiting ? [] : ['awaiting_user', 'paused'])];
  const rows = yield* query<Row>(removable(owner), { owner, after, last, before, limit, open: JSON.stringify(open) });
  const { items, next } = pageOf(rows, limit, (session) => session);
  return { items, next: next ?? (seen.length < SEEN_AT_ONCE ? null : String(last)) };
}

/** When any session was last used before a time, in epoch milliseconds; null: never. Scans all of them: for a start. */
export function* lastUsedAt(until: number): Queries<number | null> {
  const row = yield* queryOne<{ at: number | null }>(
    'SELECT max(updated_at) AS at FROM sessions WHERE updated_at <= @until',
    { until },
  );
  return row?.at ?? null;
}

const BATCH = 20;

/** Removes the folder of a session. */
export type FolderRemoval = (session: SessionKey) => Promise<void>;

/**
 * Removes old sessions with nothing open, and their folders, from a database that no service uses; with null only
 * returns them.
 */
export async function* pruneSessions(
  db: SqlDatabase,
  options: Omit<RemovableQuery, keyof PageRequest>,
  removeFolder: FolderRemoval | null,
  now: number,
): AsyncGenerator<RemovableSession, void, undefined> {
  for (let after: string | undefined; ; ) {
    const wanted: RemovableQuery = { ...options, limit: BATCH, after };
    const { items, next } = await db.read(() => findRemovable(wanted));
    if (removeFolder !== null)
      await db.write(null, function* () {
        for (const session of items) yield* removeSession(session, now, null);
      });
    for (const session of items) {
      await removeFolder?.(session);
      yield session;
    }
    if (next === null) return;
    after = next;
  }
}
