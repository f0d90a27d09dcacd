import type { Database } from 'better-sqlite3';
import type { Page } from '../../page.ts';
import type { RemovableQuery, RemovableSession } from '../store.ts';
import { IS_KEPT } from './removed-sessions.ts';

interface Row extends RemovableSession {
  id: number;
}

const FIND = `
  SELECT id, owner, session_id, last_used_at FROM (
    SELECT s.*, max(s.updated_at, coalesce(
      (SELECT e.at FROM entries e WHERE e.session = s.id ORDER BY e.seq DESC LIMIT 1), 0)) AS last_used_at
    FROM sessions s WHERE s.id > @after AND s.updated_at < @before AND ${IS_KEPT}) AS old
  WHERE last_used_at < @before
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.session = old.id
      AND (t.state = 'running' OR (@keepsWaiting AND t.state IN ('awaiting_user', 'paused'))))
    AND NOT EXISTS (SELECT 1 FROM turns u WHERE u.session = old.id AND u.finished_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.session = old.id AND o.state = 'pending')
    AND NOT EXISTS (SELECT 1 FROM reminders r
      WHERE r.owner = old.owner AND r.session_id = old.session_id AND r.due_at IS NOT NULL)
  ORDER BY id LIMIT @limit`;

/**
 * Makes what finds sessions that are old and have nothing open: no running task, no unfinished turn, no callback or reminder still to come.
 * Removes nothing.
 */
export const findRemovable = (db: Database): ((query: RemovableQuery) => Page<RemovableSession>) => {
  const find = db.prepare<[object], Row>(FIND);
  return ({ before, includeWaiting, limit, after }) => {
    const rows = find.all({ before, keepsWaiting: includeWaiting ? 0 : 1, limit, after: Number(after ?? 0) });
    const last = rows.at(-1);
    return {
      items: rows.map(({ id: _, ...session }) => session),
      next: last === undefined || rows.length < limit ? null : String(last.id),
    };
  };
};
