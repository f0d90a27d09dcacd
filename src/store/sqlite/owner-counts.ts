import type { Database } from 'better-sqlite3';
import { noOwnerCounts, type OwnerCounts } from '../../engine/owner-counts.ts';

/** Each gives one or more counts for every owner that has any. */
const COUNTS = [
  'SELECT owner, count(*) AS sessions FROM sessions GROUP BY owner',
  `SELECT (SELECT owner FROM sessions WHERE id = t.session) AS owner, count(*) AS running_tasks
   FROM tasks t WHERE t.state = 'running' GROUP BY 1`,
  `SELECT owner, count(*) AS pending_callbacks FROM (
     SELECT owner FROM outbox WHERE state = 'pending' AND reader = owner
     UNION ALL SELECT owner FROM turns WHERE finished_at IS NULL AND callback_url IS NOT NULL) GROUP BY owner`,
  `SELECT owner, count(*) AS unfinished_turns,
     sum(kind = 'task' AND task IS NULL) AS queued_turns, sum(kind = 'command') AS tool_runs
   FROM turns WHERE finished_at IS NULL GROUP BY owner`,
];

/** Counts what each owner has. Reads whole indexes, so it is for a start and no request. */
export const countOwners = (db: Database): Map<string, OwnerCounts> => {
  const counts = new Map<string, OwnerCounts>();
  for (const sql of COUNTS)
    for (const { owner, ...counted } of db.prepare<[], Partial<OwnerCounts> & { owner: string }>(sql).all())
      counts.set(owner, { ...(counts.get(owner) ?? noOwnerCounts), ...counted });
  return counts;
};
