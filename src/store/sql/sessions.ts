import { SessionEvent } from '../../../contracts/event.ts';
import { CONVERSATION_TURNS_MAX, type Conversation } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import { conversationOf } from '../../../machines/context.ts';
import { foldTask } from '../../engine/fold-task.ts';
import type { SessionImage, SessionKey, SessionRecord } from '../../engine/session-image.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Page } from '../../lib/page.ts';
import type { ListedSession } from '../port.ts';
import { type Asking, ask, askOne } from '../questions.ts';
import { unpack } from './frames.ts';
import { NEWEST, pageOf, placeAfter } from './pages.ts';
import { ACTIVE_STATES, activeTask, lastPaused, listedTask, recentTask, statusOf, storedTask } from './tasks.ts';
import { lastAnswered, openTurns } from './turns.ts';

/** Longest title of a session, in characters: a line of a list. */
const TITLE_CHARS = 120;

/** Turns among which a session's title is looked for: it may begin with 100,000 commands. */
const FIRST_TURNS = 50;

export type SessionRow = Omit<SessionRecord, 'is_fork'> & { is_fork: number };

/** A session's row by its name. */
export const sessionRow = ({ owner, session_id }: SessionKey): Asking<SessionRow | null> =>
  askOne(
    `SELECT id, owner, session_id, timezone, created_at, updated_at, turn_count, is_fork
     FROM sessions WHERE owner = @owner AND session_id = @session_id`,
    { owner, session_id },
  );

/** The conversation that a forked session begins with, as its first entry has it. */
function* conversationBefore(owner: string, session: number): Asking<Conversation> {
  const first = yield* askOne<{ event: string }>(
    'SELECT event FROM entries WHERE {owner = @owner AND} session = @session ORDER BY seq LIMIT 1',
    { owner, session },
  );
  const event = first === null ? null : SessionEvent.safeParse(JSON.parse(unpack(first.event))).data;
  return event?.type === 'session.forked' ? (event.conversation ?? []) : [];
}

/** The image of a stored session: its active task folded. Changes nothing. */
export function* loadSession(row: SessionRow): Asking<SessionImage> {
  const { id, owner, updated_at } = row;
  const is_fork = row.is_fork === 1;
  const answered = yield* lastAnswered(owner, id);
  const before = is_fork && answered.length < CONVERSATION_TURNS_MAX ? yield* conversationBefore(owner, id) : [];
  const last = yield* askOne<{ seq: number; at: number }>(
    'SELECT seq, at FROM entries WHERE {owner = @owner AND} session = @id ORDER BY seq DESC LIMIT 1',
    { owner, id },
  );
  const recent = yield* recentTask(owner, id);
  const active = yield* activeTask(owner, id);
  const loaded = active === null ? null : foldTask(yield* storedTask(active));
  return {
    session: { ...row, is_fork },
    isStored: true,
    seq: last?.seq ?? 0,
    used_at: Math.max(updated_at, last?.at ?? 0),
    active: loaded && {
      task: loaded.task,
      isRetryAfterCrash: loaded.open !== null,
      begins: loaded.begins,
      isBegun: loaded.open === null,
      unsnapped: loaded.unsnapped,
      isSnapped: true,
    },
    open: loaded?.open ?? null,
    recent: recent && statusOf(recent),
    lastPaused: yield* lastPaused(owner, id),
    conversation: conversationOf([...before, ...answered]),
    turns: yield* openTurns(owner, id),
    loaded: new Map(loaded === null || loaded.divergence === null ? [] : [[loaded.status.task_id, loaded]]),
  };
}

interface ListedRow {
  id: number;
  session_id: string;
  timezone: string;
  created_at: number;
  updated_at: number;
  last_seq: number | null;
  first_input: string | null;
  task_id: string | null;
  view: string | null;
}

interface QueuedRow {
  session: number;
  turn_id: string;
  input: string;
  created_at: number;
}

const LISTED = `SELECT s.id, s.session_id, s.timezone, s.created_at, s.updated_at, a.task_id, a.view,
    (SELECT max(seq) FROM entries WHERE {owner = s.owner AND} session = s.id) AS last_seq,
    (SELECT substr(f.input, 1, ${8 * TITLE_CHARS})
      FROM (SELECT kind, input FROM turns WHERE {owner = s.owner AND} session = s.id ORDER BY id LIMIT ${FIRST_TURNS}) AS f
      WHERE f.kind = 'task' LIMIT 1) AS first_input
  FROM sessions s LEFT JOIN tasks a ON {a.owner = s.owner AND} a.id = (
    SELECT t.id FROM tasks t WHERE t.owner = s.owner AND t.session = s.id AND t.state IN (${ACTIVE_STATES})
    ORDER BY +t.touched_at_seq DESC LIMIT 1)
  WHERE s.owner = @owner`;

const listedSession = (row: ListedRow, queue: readonly QueuedRow[]): ListedSession => ({
  session_id: row.session_id,
  timezone: row.timezone,
  active: row.task_id === null ? null : listedTask({ task_id: row.task_id, view: row.view }),
  title: row.first_input === null ? null : plainLine(row.first_input, TITLE_CHARS),
  queue: queue.map(({ turn_id, input, created_at }) => ({ turn_id, input, created_at: iso(created_at) })),
  last_seq: row.last_seq ?? 0,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/** The queued turns of some of an owner's sessions, by session. */
function* queuedTurns(owner: string, rows: readonly ListedRow[]): Asking<Map<number, QueuedRow[]>> {
  const queued = yield* ask<QueuedRow>(
    `SELECT session, turn_id, input, created_at FROM turns WHERE owner = @owner AND finished_at IS NULL
       AND session IN (SELECT CAST(value AS BIGINT) FROM json_each(@ids)) AND status = 'queued' ORDER BY id`,
    { owner, ids: JSON.stringify(rows.map(({ id }) => id)) },
  );
  return Map.groupBy(queued, ({ session }) => session);
}

/** An owner's sessions, most recently used first. Folds nothing. */
export function* listSessions(owner: string, limit: number, after: string | null): Asking<Page<ListedSession>> {
  const place = after === null ? { at: NEWEST, id: NEWEST } : placeAfter(after);
  const rows = yield* ask<ListedRow>(
    `${LISTED} AND (s.updated_at, s.id) < (@at, @id) ORDER BY s.updated_at DESC, s.id DESC LIMIT @limit`,
    { owner, ...place, limit },
  );
  const queues = yield* queuedTurns(owner, rows);
  return pageOf(
    rows,
    limit,
    ({ updated_at, id }) => `${updated_at}.${id}`,
    (row) => listedSession(row, queues.get(row.id) ?? []),
  );
}

export function* findSession({ owner, session_id }: SessionKey): Asking<ListedSession | null> {
  const row = yield* askOne<ListedRow>(`${LISTED} AND s.session_id = @session_id`, { owner, session_id });
  return row === null ? null : listedSession(row, (yield* queuedTurns(owner, [row])).get(row.id) ?? []);
}
