import { type Queries, queryOne } from '../../lib/queries.ts';
import type { LimitedCount, OwnerCounts } from '../../session/owner-counts.ts';

/** Each reads one range of an index, as long as the count that it gives. */
const COUNTS: Record<keyof OwnerCounts, string> = {
  sessions: 'SELECT count(*) FROM sessions WHERE owner = @owner',
  running_tasks: "SELECT count(*) FROM tasks WHERE state = 'running' AND owner = @owner",
  pending_callbacks: `SELECT
    (SELECT count(*) FROM outbox WHERE reader = @owner {AND owner = @owner} AND due_at IS NOT NULL) +
    (SELECT count(*) FROM turns WHERE finished_at IS NULL AND owner = @owner AND callback_url IS NOT NULL)`,
  unfinished_turns: 'SELECT count(*) FROM turns WHERE finished_at IS NULL AND owner = @owner',
  queued_turns: `SELECT count(*) FROM turns
    WHERE finished_at IS NULL AND owner = @owner AND kind <> 'command' AND task IS NULL`,
  tool_runs: "SELECT count(*) FROM turns WHERE finished_at IS NULL AND owner = @owner AND kind = 'command'",
};

/** Numbers of sessions begin at 1, so there are no more than the greatest: counting 100,000 takes some milliseconds. */
const MANY_SESSIONS = `SELECT CASE WHEN (SELECT max(id) FROM sessions {WHERE owner = @owner}) < @sessions_max THEN 0
  ELSE (${COUNTS.sessions}) END`;

const NAMES = Object.keys(COUNTS) as (keyof OwnerCounts)[];

const columnsOf = (counts: Record<string, string>, names: readonly string[]): string =>
  names.map((name) => `(${counts[name]}) AS ${name}`).join(', ');

/** Some counts of an owner, as of the transaction that reads them. Sessions that are certainly fewer than `sessionsMax` are given as 0. */
export function* countsOf(
  owner: string,
  names: readonly LimitedCount[],
  sessionsMax: number,
): Queries<Pick<OwnerCounts, LimitedCount>> {
  const columns = columnsOf({ ...COUNTS, sessions: MANY_SESSIONS }, names);
  const values = { owner, sessions_max: sessionsMax };
  // A query of single values has one row.
  return (yield* queryOne<Pick<OwnerCounts, LimitedCount>>(`SELECT ${columns}`, values))!;
}

/** All counts of an owner. */
export function* ownerCounts(owner: string): Queries<OwnerCounts> {
  return (yield* queryOne<OwnerCounts>(`SELECT ${columnsOf(COUNTS, NAMES)}`, { owner }))!;
}

/** Callbacks to be posted, and unfinished turns that will have one, of these readers; null: of all. */
export function* pendingCallbacks(readers: readonly string[] | null): Queries<number> {
  const of = (column: string): string =>
    readers === null ? '' : `AND ${column} IN (SELECT value FROM json_each(@readers))`;
  const row = yield* queryOne<{ pending: number }>(
    `SELECT (SELECT count(*) FROM outbox WHERE due_at IS NOT NULL ${of('reader')}) +
       (SELECT count(*) FROM turns WHERE finished_at IS NULL AND callback_url IS NOT NULL ${of('owner')}) AS pending`,
    { readers: JSON.stringify(readers) },
  );
  return row!.pending;
}
