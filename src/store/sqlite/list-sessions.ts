import type { Database } from 'better-sqlite3';
import { plainLine } from '../../../contracts/text.ts';
import { iso } from '../../lib/iso-time.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { ListedSession } from '../port.ts';
import { longText, withLongTexts } from './long-texts.ts';
import type { SessionRow } from './rows.ts';
import { ACTIVE_STATES, unendedOf } from './unended-tasks.ts';

/** Longest title of a session, in characters: a line of a list. */
const TITLE_CHARS = 120;

interface ActiveRow {
  session: number;
  task_id: string;
  view: string | null;
}

interface QueuedRow {
  session: number;
  turn_id: string;
  input: string;
  created_at: number;
}

/** What a session's own row says of it, without what its other rows hold. */
export const withoutContents = ({ session_id, timezone, created_at, updated_at }: SessionRow): ListedSession => ({
  session_id,
  timezone,
  active: null,
  title: null,
  queue: [],
  last_seq: 0,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
});

/** Turns among which a session's title is looked for: it may begin with 100,000 commands. */
const FIRST_TURNS = 50;

/**
 * Makes what lists sessions: four statements for a whole page, since SQLite plans a statement with bound values anew at every
 * call. Folds nothing. Throws for a damaged row.
 */
export const createListSessions = (db: Database) => {
  const page = 'SELECT value FROM json_each(?)';
  const active = withLongTexts(
    db.prepare<[string], ActiveRow>(
      `SELECT session, task_id, ${longText('view', 'view')} FROM json_each(?) CROSS JOIN tasks INDEXED BY tasks_by_state
       WHERE ${unendedOf('value', ACTIVE_STATES)} ORDER BY touched_at_seq`,
    ),
  );
  const queued = db.prepare<[string], QueuedRow>(
    `SELECT session, turn_id, input, created_at FROM turns INDEXED BY turns_open
     WHERE session IN (${page}) AND finished_at IS NULL AND status = 'queued' ORDER BY id`,
  );
  // One index lookup for each session: grouped, every entry of the page's sessions would be gone through.
  const lastSeqs = db.prepare<[string], { session: number; seq: number | null }>(
    'SELECT value AS session, (SELECT max(seq) FROM entries WHERE session = value) AS seq FROM json_each(?)',
  );
  const firstInputs = db.prepare<[string], { session: number; input: string | null }>(
    `SELECT value AS session, (SELECT substr(input, 1, ${8 * TITLE_CHARS})
       FROM (SELECT input, kind FROM turns WHERE session = value ORDER BY id LIMIT ${FIRST_TURNS}) WHERE kind = 'task' LIMIT 1) AS input FROM json_each(?)`,
  );
  return (rows: readonly SessionRow[]): ListedSession[] => {
    const ids = JSON.stringify(rows.map(({ id }) => id));
    const activeOf = new Map(active.all(ids).map((row) => [row.session, row]));
    const seqOf = new Map(lastSeqs.all(ids).map(({ session, seq }) => [session, seq]));
    const titleOf = new Map(
      firstInputs.all(ids).map(({ session, input }) => [session, input && plainLine(input, TITLE_CHARS)]),
    );
    const queueOf = Map.groupBy(queued.all(ids), ({ session }) => session);
    return rows.map((row) => {
      const task = activeOf.get(row.id);
      return {
        ...withoutContents(row),
        active:
          task === undefined
            ? null
            : { task_id: task.task_id, view: task.view === null ? null : storedTaskView(task.view) },
        queue: (queueOf.get(row.id) ?? []).map(({ turn_id, input, created_at }) => ({
          turn_id,
          input,
          created_at: iso(created_at),
        })),
        title: titleOf.get(row.id) ?? null,
        last_seq: seqOf.get(row.id) ?? 0,
      };
    });
  };
};
