import { execute, isOf, type Queries, query, queryOne } from '../../lib/queries.ts';
import type { SessionKey } from '../../session/image.ts';
import type { LeftOpen } from '../port.ts';
import { callbackLanes } from './outbox.ts';

const CLEAN = 'clean_shutdown';

/** Newest entries whose tasks' files may be outdated after a crash: far more than are made during one write. */
const LATEST_ENTRIES = 2_000;

/** Sets the value of `meta` for a key. */
export const SET_META =
  'INSERT INTO meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value';

const setClean = (value: '0' | '1'): Queries<void> => execute(SET_META, { key: CLEAN, value });

/** Marks that the process ended in order: open work was handed over, not lost in a crash. */
export function* markClean(): Queries<void> {
  yield* execute('DELETE FROM removed_sessions', {});
  yield* setClean('1');
}

/** The tasks that moved last, one for each session, whose files may be outdated. */
function* lastMoved(owner: string | null): Queries<LeftOpen['moved']> {
  const rows = yield* query<SessionKey & { task_id: string }>(
    `SELECT t.task_id, s.owner, s.session_id FROM tasks t JOIN sessions s ON {s.owner = t.owner AND} s.id = t.session
     WHERE t.id IN (SELECT task FROM entries
       WHERE ${owner === null ? '' : '{owner = @owner AND}'} task IS NOT NULL ORDER BY id DESC LIMIT ${LATEST_ENTRIES})
       AND ${isOf(owner, 't.owner')} ORDER BY t.touched_at_seq`,
    { owner },
  );
  const newest = new Map(rows.map((row) => [`${row.owner} ${row.session_id}`, row]));
  return [...newest.values()];
}

/**
 * Finds what the last process left open, for one owner or (null) all. From then on this process counts as one that may
 * crash.
 */
export function* findLeftOpen(owner: string | null, wasReleased?: boolean): Queries<LeftOpen> {
  const clean = yield* queryOne<{ value: string }>('SELECT value FROM meta WHERE key = @key', { key: CLEAN });
  const isClean = wasReleased ?? clean?.value === '1';
  if (owner === null) yield* setClean('0');
  // Open work was handed over, so its begins do not count (SPEC 6, crash_loop). An effect that never began stays one.
  if (isClean)
    yield* execute(
      `UPDATE tasks SET begins = 0, begun_effect = NULL WHERE state = 'running' AND begins > 0 AND ${isOf(owner)}`,
      { owner },
    );
  // Also after an orderly end: `tripact prune` may have been killed since.
  const removed = yield* query<SessionKey>(
    `SELECT owner, session_id FROM removed_sessions r WHERE ${isOf(owner)} AND NOT EXISTS (
       SELECT 1 FROM sessions s WHERE s.owner = r.owner AND s.session_id = r.session_id)`,
    { owner },
  );
  // A service that is the home of all clears them at its orderly end.
  if (owner !== null) yield* execute('DELETE FROM removed_sessions WHERE owner = @owner', { owner });
  return {
    removed,
    callbacks: yield* callbackLanes(owner),
    sessions: yield* query<SessionKey>(
      `SELECT owner, session_id FROM sessions WHERE ${isOf(owner)} AND id IN (
         SELECT session FROM tasks WHERE state = 'running' AND ${isOf(owner)}
         UNION ALL SELECT session FROM turns WHERE finished_at IS NULL AND ${isOf(owner)}) ORDER BY id`,
      { owner },
    ),
    moved: isClean ? [] : yield* lastMoved(owner),
  };
}
