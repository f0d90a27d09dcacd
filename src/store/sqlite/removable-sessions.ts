import type { Database } from 'better-sqlite3';
import type { Page } from '../../lib/page.ts';
import type { RemovableQuery, RemovableSession } from '../port.ts';

/** Longest that sessions are looked at before others go on, in microseconds of processor time: of 100,000 none may be removable, and then there is a page of none. */
const SLICE_US = 20_000;

/** Sessions that are looked at between two looks at the processor time, each of which takes as long as one session does. */
const BETWEEN_LOOKS = 8;

/** Sessions read at a time. */
const READ_ROWS = 100;

interface Row extends RemovableSession {
  id: number;
}

const NEXT = `SELECT id, owner, session_id, updated_at AS last_used_at FROM sessions WHERE id > ? ORDER BY id LIMIT ${READ_ROWS}`;

/** A session's last activity, where it has nothing open. Bound values are cast, for SQLite plans the statement anew at every call for those that it looks at. */
const LAST_USED = `
  SELECT max(@last_used_at, coalesce((SELECT at FROM entries WHERE session = given.id ORDER BY seq DESC LIMIT 1), 0))
  FROM (SELECT CAST(@id AS INTEGER) AS id, CAST(@owner AS TEXT) AS owner, CAST(@session_id AS TEXT) AS session_id) AS given
  WHERE NOT EXISTS (SELECT 1 FROM turns INDEXED BY turns_open WHERE session = given.id AND finished_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM reminders r INDEXED BY reminders_of_subject
      WHERE r.owner = given.owner AND r.session_id = given.session_id AND r.due_at IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.session = given.id AND t.owner = given.owner AND t.outcome IS NULL
      AND t.state IN ('running', 'awaiting_user', 'paused') AND (t.state = 'running' OR @keepsWaiting))
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE session = given.id AND state = 'pending')`;

/**
 * Makes what finds sessions that are old and have nothing open: no running task, no unfinished turn, no callback or reminder still to come. A page may
 * have fewer than its limit and not be the last one. Removes nothing.
 */
export const findRemovable = (db: Database): ((query: RemovableQuery) => Page<RemovableSession>) => {
  const next = db.prepare<[number], Row>(NEXT);
  const lastUsed = db.prepare<[object], number>(LAST_USED).pluck();
  return ({ before, includeWaiting, limit, after }) => {
    const began = process.threadCpuUsage();
    const isOver = (): boolean => {
      const { user, system } = process.threadCpuUsage(began);
      return user + system >= SLICE_US;
    };
    const items: RemovableSession[] = [];
    for (let seen = Number(after ?? 0); ; ) {
      const rows = next.all(seen);
      for (const [i, { id, ...session }] of rows.entries()) {
        seen = id;
        const at =
          session.last_used_at < before
            ? lastUsed.get({ id, ...session, keepsWaiting: Number(!includeWaiting) })
            : undefined;
        if (at !== undefined && at < before) items.push({ ...session, last_used_at: at });
        if (items.length === limit || (i % BETWEEN_LOOKS === 0 && isOver())) return { items, next: String(seen) };
      }
      if (rows.length < READ_ROWS) return { items, next: null };
    }
  };
};
