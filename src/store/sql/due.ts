import { type Queries, query } from '../../lib/queries.ts';
import type { SessionKey } from '../../session/image.ts';
import type { Due } from '../port.ts';

/** The sources of due times: their table, the column of the time, and their session. */
export const SOURCES = [
  { table: 'reminders', at: 'due_at', session_id: 'session_id' },
  { table: 'goals', at: 'due_at', session_id: 'session_id' },
  {
    table: 'tasks',
    at: 'expires_at',
    session_id: '(SELECT session_id FROM sessions WHERE {owner = tasks.owner AND} id = tasks.session)',
  },
];

/** Rows of each source that are examined at once: after a long stop those of many owners may be due. */
const LOOKED_AT = 1_000;

const ofOwners = (owners: readonly string[] | null): string =>
  owners === null ? '' : ' AND owner IN (SELECT value FROM json_each(@owners))';

/** Excludes these sessions, whose keys are joined by a character that occurs in neither part. */
const ofOthers = (except: readonly SessionKey[], session_id: string): string =>
  except.length === 0 ? '' : ` AND owner || '/' || ${session_id} NOT IN (SELECT value FROM json_each(@except))`;

const namesOf = (sessions: readonly SessionKey[]): string =>
  JSON.stringify(sessions.map(({ owner, session_id }) => `${owner}/${session_id}`));

/** Finds due times. Changes nothing. */
export const dueStore = {
  *nextDue(owners: readonly string[] | null, except: readonly SessionKey[] = []): Queries<number | null> {
    const each = SOURCES.map(
      ({ table, at, session_id }) =>
        `SELECT min(${at}) AS due_at FROM ${table} WHERE ${at} IS NOT NULL${ofOwners(owners)}${ofOthers(except, session_id)}`,
    );
    const sql = `SELECT min(due_at) AS due_at FROM (${each.join(' UNION ALL ')}) AS soonest`;
    const values = { owners: JSON.stringify(owners), except: namesOf(except) };
    return (yield* query<{ due_at: number | null }>(sql, values))[0]!.due_at;
  },
  *sessionsWithDue(
    owners: readonly string[] | null,
    now: number,
    limit: number,
    except: readonly SessionKey[] = [],
  ): Queries<SessionKey[]> {
    const each = SOURCES.map(
      ({ table, at, session_id }) =>
        `SELECT * FROM (SELECT owner, ${session_id} AS session_id, ${at} AS due_at FROM ${table}
           WHERE ${at} <= @now${ofOwners(owners)}${ofOthers(except, session_id)} ORDER BY ${at} LIMIT ${LOOKED_AT}) AS of_${table}`,
    );
    return yield* query<SessionKey>(
      `SELECT owner, session_id FROM (${each.join(' UNION ALL ')}) AS due
       GROUP BY owner, session_id ORDER BY min(due_at), owner, session_id LIMIT @limit`,
      { owners: JSON.stringify(owners), now, limit, except: namesOf(except) },
    );
  },
} satisfies Due;
