import type { Effect } from '../../../contracts/event.ts';
import type { WaitingState } from '../../../contracts/http.ts';
import type { TaskState } from '../../../contracts/task.ts';
import { type StoredSnapshot, usesSnapshot } from '../../history/stored-history.ts';
import { iso, isoOrNull } from '../../lib/iso-time.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { isOf, type Queries, query, queryOne } from '../../lib/queries.ts';
import { storedTaskView } from '../../projections/task-view.ts';
import type { TaskStatus } from '../../session/image.ts';
import type { StoredTask } from '../../session/load-task.ts';
import type { FoundTask, ListedMoved, ListedTask, ListedWaiting, MovedQuery, TaskCount } from '../port.ts';
import { type Chained, chainIn, entryTexts, machineColumn, storedEntries } from './entries.ts';
import { unpack } from './frames.ts';
import { NEWEST, pageOf, placeAfter } from './pages.ts';

/** A task's row without its view. `state` is `running` from opening or resuming until it settles. */
export interface TaskRow extends TaskStatus {
  owner: string;
  id: number;
  session: number;
  first_seq: number;
  begins: number;
  begun_effect: number | null;
}

interface Viewed {
  task_id: string;
  view: string | null;
}

const TASK = 't.owner, t.id, t.task_id, t.session, t.state, t.first_seq, t.touched_at_seq, t.begins, t.begun_effect';

/** False without an open effect, and for an effect that was left before it began. */
export const mayBeBegun = ({ begins, begun_effect }: TaskRow, open: Effect | null): boolean => {
  if (open === null) return false;
  const wasLeft = begins === 0 && begun_effect === open.effect;
  return !wasLeft;
};

const LAST = `SELECT ${TASK} FROM tasks t WHERE {t.owner = @owner AND} t.session = @session`;

/** States of a task that runs or asks. */
export const ACTIVE_STATES = "'running', 'awaiting_user'";

export const listedTask = ({ task_id, view }: Viewed): ListedTask => ({
  task_id,
  view: view === null ? null : storedTaskView(unpack(view)),
});

interface FoundRow extends TaskRow {
  session_id: string;
  view: string | null;
  /** The session's, IANA. */
  timezone: string;
}

/** A task's row with its session; `owner` null: of any owner. */
export function* taskRow(owner: string | null, taskId: string): Queries<FoundRow | null> {
  return yield* queryOne(
    `SELECT ${TASK}, t.view, s.session_id, s.timezone FROM tasks t JOIN sessions s ON {s.owner = t.owner AND} s.id = t.session
     WHERE t.task_id = @task_id AND ${isOf(owner, 't.owner')}`,
    { task_id: taskId, owner },
  );
}

/** `owner` null: of any owner. */
export function* findTask(owner: string | null, taskId: string): Queries<FoundTask | null> {
  const row = yield* taskRow(owner, taskId);
  return row && { ...row, ...listedTask(row) };
}

export function* storedTask(status: TaskRow): Queries<StoredTask> {
  const { owner, id, begins, begun_effect } = status;
  const snapshot = yield* queryOne<StoredSnapshot & Chained>(
    `SELECT s.seq, ${machineColumn('s.')}, s.body, e.chain FROM snapshots s
     LEFT JOIN entries e ON {e.owner = s.owner AND} e.session = @session AND e.seq = s.seq
     WHERE {s.owner = @owner AND} s.task = @id`,
    { owner, id, session: status.session },
  );
  const after = snapshot !== null && usesSnapshot(status, snapshot) ? snapshot.seq : 0;
  const entries = yield* storedEntries(status, after);
  const last = status.state === 'running' ? yield* lastEffects(status) : null;
  const { chain } = entries.at(-1) ?? snapshot ?? { chain: null };
  return { status, begins, begun_effect, snapshot, entries, lastEffects: last, chain: chainIn(chain) };
}

/** When a task's question expired, if it had by `at`; else null. */
export function* questionExpired(owner: string, task_id: string, at: number): Queries<number | null> {
  const sql = 'SELECT expires_at FROM tasks WHERE owner = @owner AND task_id = @task_id AND expires_at <= @at';
  return (yield* queryOne<{ expires_at: number }>(sql, { owner, task_id, at }))?.expires_at ?? null;
}

/** The effects of a task's last entry that asked for any, as JSON. */
function* lastEffects({ owner, session, id }: TaskRow): Queries<string | null> {
  const row = yield* queryOne<{ event: string; effects: string }>(
    `SELECT event, effects FROM entries
     WHERE {owner = @owner AND} session = @session AND task = @id AND effects IS NOT NULL ORDER BY seq DESC LIMIT 1`,
    { owner, session, id },
  );
  return row && entryTexts(row).effects;
}

/** The session's task in one of these states that was opened, resumed or settled last. */
export const lastTask = (owner: string, session: number, states?: string): Queries<TaskRow | null> =>
  queryOne(
    states === undefined
      ? `${LAST} ORDER BY t.touched_at_seq DESC LIMIT 1`
      : `${LAST} AND t.owner = @owner AND t.state IN (${states}) ORDER BY +t.touched_at_seq DESC LIMIT 1`,
    { owner, session },
  );

export function* listTasks(
  owner: string,
  session: number,
  { limit, after = '0' }: PageRequest,
): Queries<Page<ListedTask>> {
  const rows = yield* query<Viewed & { cursor: number }>(
    `SELECT first_seq AS cursor, task_id, view FROM tasks WHERE {owner = @owner AND} session = @session AND first_seq > @after
     ORDER BY first_seq LIMIT @limit`,
    { owner, session, after: Number(after), limit },
  );
  return pageOf(rows, limit, listedTask);
}

interface WaitingRow extends Viewed, Pick<ListedWaiting, 'session_id' | 'question'> {
  cursor: string;
  waiting_since: number;
  expires_at: number | null;
}

/** An owner's tasks in these states, over all sessions, longest waiting first. */
export function* listWaiting(
  owner: string,
  states: readonly WaitingState[],
  { limit, after }: PageRequest,
): Queries<Page<ListedWaiting>> {
  const { at, id } = after === undefined ? { at: -NEWEST, id: 0 } : placeAfter(after);
  const rows = yield* query<WaitingRow>(
    `SELECT t.waiting_since || '.' || t.id AS cursor, t.task_id, t.view, t.question, t.waiting_since, t.expires_at, s.session_id
     FROM tasks t JOIN sessions s ON {s.owner = t.owner AND} s.id = t.session
     WHERE t.owner = @owner AND t.waiting_since IS NOT NULL AND (t.waiting_since, t.id) > (@at, @id)
       AND t.state IN (SELECT value FROM json_each(@states)) ORDER BY t.waiting_since, t.id LIMIT @limit`,
    { owner, at, id, states: JSON.stringify(states), limit },
  );
  return pageOf(rows, limit, ({ session_id, question, waiting_since, expires_at, ...row }) => ({
    session_id,
    question,
    since: iso(waiting_since),
    expires_at: isoOrNull(expires_at),
    ...listedTask(row),
  }));
}

const SESSION_ID = '(SELECT id FROM sessions WHERE owner = @owner AND session_id = @session_id)';

/** An owner's tasks, most recently moved first, and their number on all pages. */
export function* listMoved(
  owner: string,
  { session_id, task_id, agent, kinds, since }: MovedQuery,
  { limit, after }: PageRequest,
): Queries<Page<ListedMoved> & { total: number }> {
  const { at, id } = after === undefined ? { at: NEWEST, id: NEWEST } : placeAfter(after);
  const entry = 'JOIN entries e ON {e.owner = t.owner AND} e.session = t.session AND e.seq = t.touched_at_seq';
  const wanted = `t.owner = @owner
    ${session_id === undefined ? '' : `AND t.session = ${SESSION_ID}`}
    ${task_id === undefined ? '' : 'AND t.task_id = @task_id'}
    ${agent === undefined ? '' : 'AND t.session IN (SELECT id FROM sessions WHERE owner = @owner AND agent = @agent)'}
    ${kinds === undefined ? '' : "AND t.state || ' ' || coalesce(t.outcome, '') IN (SELECT value FROM json_each(@kinds))"}
    ${since === undefined ? '' : 'AND e.at >= @since'}`;
  const values = {
    owner,
    session_id: session_id ?? null,
    task_id: task_id ?? null,
    agent: agent ?? null,
    kinds: kinds === undefined ? null : JSON.stringify(kinds.map(({ state, outcome }) => `${state} ${outcome ?? ''}`)),
    since: since ?? null,
  };
  const counted = yield* queryOne<{ total: number }>(
    `SELECT count(*) AS total FROM tasks t ${since === undefined ? '' : entry} WHERE ${wanted}`,
    values,
  );
  const rows = yield* query<Viewed & { cursor: string; session_id: string; at: number }>(
    `SELECT page.at || '.' || page.id AS cursor, t.task_id, t.view, s.session_id, page.at
     FROM (SELECT t.id, e.at FROM tasks t ${entry} WHERE ${wanted} AND (e.at, t.id) < (@at, @id)
       ORDER BY e.at DESC, t.id DESC LIMIT @limit) page
     JOIN tasks t ON {t.owner = @owner AND} t.id = page.id JOIN sessions s ON {s.owner = @owner AND} s.id = t.session
     ORDER BY page.at DESC, page.id DESC`,
    { ...values, at, id, limit },
  );
  const page = pageOf(rows, limit, ({ session_id, at, ...row }) => ({
    session_id,
    moved_at: iso(at),
    ...listedTask(row),
  }));
  return { ...page, total: counted?.total ?? 0 };
}

export function* countTasks(owner: string, session_id: string | null): Queries<TaskCount[]> {
  const rows = yield* query<{ state: TaskState | 'running'; count: number; completed: number; failed: number }>(
    `SELECT state, count(*) AS count, count(*) FILTER (WHERE outcome = 'completed') AS completed,
       count(*) FILTER (WHERE outcome = 'failed') AS failed
     FROM tasks WHERE owner = @owner ${session_id === null ? '' : `AND +session = ${SESSION_ID}`} GROUP BY state`,
    { owner, session_id },
  );
  return rows
    .flatMap(({ state, count, completed, failed }): TaskCount[] => [
      { state, outcome: 'completed', count: completed },
      { state, outcome: 'failed', count: failed },
      { state, outcome: null, count: count - completed - failed },
    ])
    .filter(({ count }) => count > 0);
}
