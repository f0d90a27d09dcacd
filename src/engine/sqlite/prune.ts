import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { INDEX_ENTRIES } from './append-entry.ts';

/** Sessions removed in one transaction: so few that a turn which comes meanwhile waits some milliseconds. */
const BATCH = 20;

/** Which sessions go. */
export interface PruneOptions {
  /** Those with no activity at or after this time, in epoch milliseconds. */
  before: number;
  /** Also those with a task that waits for its user or is paused: somebody may still want to go on with it. */
  includeWaiting: boolean;
  /** Finds them and removes nothing. */
  isDryRun: boolean;
}

/** A session that is gone, or in a dry run would go. */
export interface PrunedSession {
  owner: string;
  session_id: string;
  /** Its last activity, in epoch milliseconds. */
  last_used_at: number;
}

interface Candidate extends PrunedSession {
  id: number;
}

const FIND = `
  SELECT id, owner, session_id, last_used_at FROM (
    SELECT s.*, max(s.updated_at, coalesce(
      (SELECT max(e.at) FROM entries e WHERE e.session = s.id AND e.id > (SELECT up_to FROM entry_index_end)),
      (SELECT e.at FROM entry_index i JOIN entries e ON e.id = i.entry WHERE i.session = s.id ORDER BY i.seq DESC LIMIT 1),
      0)) AS last_used_at
    FROM sessions s WHERE s.id > @after AND s.updated_at < @before) AS old
  WHERE last_used_at < @before
    AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.session = old.id
      AND (t.state = 'running' OR (@keepsWaiting AND t.state IN ('awaiting_user', 'paused'))))
    AND NOT EXISTS (SELECT 1 FROM turns u WHERE u.session = old.id AND u.finished_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM reminders r
      WHERE r.owner = old.owner AND r.session_id = old.session_id AND r.due_at IS NOT NULL)
  ORDER BY id LIMIT @limit`;

/** All that belongs to the sessions whose ids are in a JSON list; children first, since nothing else looks for them here. */
const REMOVE = [
  'DELETE FROM named_plan_steps WHERE plan IN (SELECT p.id FROM named_plans p JOIN gone s USING (owner, session_id))',
  'DELETE FROM named_plans WHERE (owner, session_id) IN (SELECT owner, session_id FROM gone)',
  'DELETE FROM snapshots WHERE task IN (SELECT t.id FROM tasks t JOIN gone s ON s.id = t.session)',
  'DELETE FROM entries WHERE id IN (SELECT i.entry FROM entry_index i JOIN gone s ON s.id = i.session)',
  'DELETE FROM entry_index WHERE session IN (SELECT id FROM gone)',
  'DELETE FROM turns WHERE session IN (SELECT id FROM gone)',
  'DELETE FROM tasks WHERE session IN (SELECT id FROM gone)',
  'DELETE FROM sessions WHERE id IN (SELECT value FROM json_each(@ids))',
].map((sql) => `WITH gone AS (SELECT * FROM sessions WHERE id IN (SELECT value FROM json_each(@ids))) ${sql}`);

/**
 * Removes sessions that are old and have nothing open: no running task, no queued turn, no reminder still to come. Todos and
 * schedules stay, for they are the owner's. Gives each batch once it is removed, and lets others write in between.
 * `release` is asked for each session, by its row; one that it refuses stays.
 */
export async function* pruneSessions(
  db: Database,
  { before, includeWaiting, isDryRun }: PruneOptions,
  release: (sessionRow: number) => boolean,
): AsyncGenerator<PrunedSession[], void, undefined> {
  const find = db.prepare<[object], Candidate>(FIND);
  const remove = db.transaction((ids: string) => {
    db.prepare(INDEX_ENTRIES.newest).run();
    for (const sql of REMOVE) db.prepare(sql).run({ ids });
    // The ids of entries that are gone may be given again, so what counts as indexed ends where the entries end now.
    db.prepare(INDEX_ENTRIES.end).run();
  });
  const keepsWaiting = includeWaiting ? 0 : 1;
  for (let after = 0; ; ) {
    const found = find.all({ after, before, keepsWaiting, limit: BATCH });
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.id;
    const free = isDryRun ? found : found.filter(({ id }) => release(id));
    if (!isDryRun) {
      // Checking each key would search the whole table of turns once a task; the statements leave no row behind.
      db.pragma('foreign_keys = OFF');
      try {
        remove.immediate(JSON.stringify(free.map(({ id }) => id)));
      } finally {
        db.pragma('foreign_keys = ON');
      }
    }
    yield free.map(({ id: _, ...session }) => session);
    await nextTurn();
  }
}
