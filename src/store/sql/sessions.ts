import type { TaskOutcome } from '../../../contracts/answer.ts';
import { SessionEvent } from '../../../contracts/event.ts';
import { type SessionQuery, TITLE_CHARS_MAX } from '../../../contracts/sessions.ts';
import { CONVERSATION_TURNS_MAX, type Conversation, type TaskState } from '../../../contracts/task.ts';
import { plainLine } from '../../../contracts/text.ts';
import { conversationOf } from '../../../machines/context.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { type Queries, query, queryOne } from '../../lib/queries.ts';
import type { SessionImage, SessionKey, SessionRecord } from '../../session/image.ts';
import { loadTask } from '../../session/load-task.ts';
import type { ListedSession } from '../port.ts';
import { chainIn } from './entries.ts';
import { countsIn, IS_RATED, RATED } from './feedback.ts';
import { unpack } from './frames.ts';
import { NEWEST, pageOf, placeAfter } from './pages.ts';
import { COSTS, SPENT, USES_TOOL } from './session-spent.ts';
import { ACTIVE_STATES, lastTask, listedTask, mayBeBegun, storedTask } from './tasks.ts';
import { lastAnswered, openTurns } from './turns.ts';

/** Turns that are searched for a session's title: it may begin with 100,000 commands. */
const FIRST_TURNS = 50;

export type SessionRow = Omit<SessionRecord, 'is_fork'> & { is_fork: number };

export const sessionRow = ({ owner, session_id }: SessionKey): Queries<SessionRow | null> =>
  queryOne(
    `SELECT id, owner, session_id, timezone, created_at, updated_at, turn_count, is_fork, agent
     FROM sessions WHERE owner = @owner AND session_id = @session_id`,
    { owner, session_id },
  );

/** The fork in a session's first entry; null: it is not a fork. */
const forkIn = (first: string | null) => {
  const event = first === null ? null : SessionEvent.safeParse(JSON.parse(unpack(first))).data;
  return event?.type === 'session.forked' ? event : null;
};

/** The initial conversation of a forked session, from its first entry. */
function* conversationBefore(owner: string, session: number): Queries<Conversation> {
  const first = yield* queryOne<{ event: string }>(
    'SELECT event FROM entries WHERE {owner = @owner AND} session = @session ORDER BY seq LIMIT 1',
    { owner, session },
  );
  return forkIn(first?.event ?? null)?.conversation ?? [];
}

/** The image of a stored session, with its active task folded. Changes nothing. */
export function* loadSession(row: SessionRow): Queries<SessionImage> {
  const { id, owner, updated_at } = row;
  const is_fork = row.is_fork === 1;
  const answered = yield* lastAnswered(owner, id);
  const before = is_fork && answered.length < CONVERSATION_TURNS_MAX ? yield* conversationBefore(owner, id) : [];
  const last = yield* queryOne<{ seq: number; at: number; own_chain: Uint8Array | null }>(
    `SELECT seq, at, (SELECT chain FROM entries WHERE {owner = @owner AND} session = @id AND task IS NULL ORDER BY seq DESC LIMIT 1)
       AS own_chain
     FROM entries WHERE {owner = @owner AND} session = @id ORDER BY seq DESC LIMIT 1`,
    { owner, id },
  );
  const recent = yield* lastTask(owner, id);
  const active = yield* lastTask(owner, id, ACTIVE_STATES);
  const paused = yield* lastTask(owner, id, "'paused'");
  const loaded = active === null ? null : loadTask(yield* storedTask(active));
  return {
    session: { ...row, is_fork },
    isStored: true,
    seq: last?.seq ?? 0,
    chain: chainIn(last?.own_chain ?? null),
    used_at: Math.max(updated_at, last?.at ?? 0),
    active: loaded && {
      task: loaded.task,
      isRetryAfterCrash: active !== null && mayBeBegun(active, loaded.open),
      begins: loaded.begins,
      isBegun: loaded.open === null,
      unsnapped: loaded.unsnapped,
      isSnapped: true,
      chain: loaded.chain,
    },
    open: loaded?.open ?? null,
    recent,
    lastPaused: paused?.task_id ?? null,
    conversation: conversationOf([...before, ...answered]),
    turns: yield* openTurns(owner, id),
    loaded: new Map(loaded === null || loaded.divergence === null ? [] : [[loaded.status.task_id, loaded]]),
  };
}

interface ListedRow {
  cursor: string;
  id: number;
  session_id: string;
  agent: string | null;
  timezone: string;
  created_at: number;
  updated_at: number;
  last_seq: number | null;
  title: string | null;
  first_input: string | null;
  /** The first entry of a fork. */
  first_event: string | null;
  task_id: string | null;
  view: string | null;
  last_id: string | null;
  last_state: TaskState;
  last_outcome: TaskOutcome | null;
  last_view: string | null;
  /** Null: none is known, or there are several currencies. */
  cost: string | null;
  currency: string | null;
  /** Text around the first searched word: of an input, and of a stored reply. */
  hit_input: string | null;
  hit_reply: string | null;
  rated_up: number;
  rated_down: number;
}

type Listed = Omit<ListedRow, 'cursor'>;

interface QueuedRow {
  session: number;
  turn_id: string;
  input: string;
  created_at: number;
}

const CURSOR = "s.updated_at || '.' || s.id AS cursor";

/** The columns of a session; `more` are further ones. */
const listed = (
  more: string,
): string => `SELECT ${CURSOR}, s.id, s.session_id, s.title, s.agent, s.timezone, s.created_at, s.updated_at, a.task_id, a.view,
    l.task_id AS last_id, l.state AS last_state, l.outcome AS last_outcome, l.view AS last_view, ${SPENT}, ${more}, ${RATED},
    CASE WHEN s.is_fork = 1 THEN
      (SELECT event FROM entries WHERE {owner = s.owner AND} session = s.id ORDER BY seq LIMIT 1) END AS first_event,
    (SELECT max(seq) FROM entries WHERE {owner = s.owner AND} session = s.id) AS last_seq,
    (SELECT substr(f.input, 1, ${8 * TITLE_CHARS_MAX})
      FROM (SELECT kind, input FROM turns WHERE {owner = s.owner AND} session = s.id ORDER BY id LIMIT ${FIRST_TURNS}) AS f
      WHERE f.kind <> 'command' LIMIT 1) AS first_input
  FROM sessions s LEFT JOIN tasks a ON {a.owner = s.owner AND} a.id = (
    SELECT t.id FROM tasks t WHERE t.owner = s.owner AND t.session = s.id AND t.state IN (${ACTIVE_STATES})
    ORDER BY +t.touched_at_seq DESC LIMIT 1)
  LEFT JOIN tasks l ON {l.owner = s.owner AND} l.id = (
    SELECT t.id FROM tasks t WHERE t.owner = s.owner AND t.session = s.id ORDER BY +t.touched_at_seq DESC LIMIT 1)
  WHERE s.owner = @owner`;

/** Sessions that one page of a search examines: about ten milliseconds. If none of them matches, the page is empty. */
const SEARCHED_AT_ONCE = 1_000;

/** A word in a plain or JSON text. */
const WORD = 'lower(w.value)';
const JSON_WORD = `replace(replace(${WORD}, '\\', '\\\\'), '"', '\\"')`;

/**
 * Every word occurs in the name, title, inputs or answers. A stored reply begins with its output; its task's view is
 * not searched.
 */
const HAS_WORDS = `AND NOT EXISTS (SELECT 1 FROM json_each(@words) AS w
  WHERE instr(lower(s.session_id || ' ' || coalesce(s.title, '')), ${WORD}) = 0 AND NOT EXISTS (
    SELECT 1 FROM turns u WHERE {u.owner = s.owner AND} u.session = s.id AND (instr(lower(u.input), ${WORD}) > 0
      OR u.kind <> 'command' AND instr(lower(replace(
        substr(u.reply, 1, CAST(instr(u.reply, '","question":') AS INTEGER)), '"output":', '')), ${JSON_WORD}) > 0)))`;

/** Characters of a text that are shown around a searched word, and how many of them are before it. */
const HIT = { chars: 160, before: 24 };

const around = (text: string, word: string): string => {
  const at = `CAST(instr(lower(${text}), ${word}) AS INTEGER)`;
  const from = `CASE WHEN ${at} > ${HIT.before} THEN ${at} - ${HIT.before} ELSE 1 END`;
  const cut = `CASE WHEN ${at} > ${HIT.before} THEN '…' ELSE '' END`;
  return `CASE WHEN ${at} > 0 THEN ${cut} || substr(${text}, ${from}, ${HIT.chars}) END`;
};

const FIRST_WORD = 'lower(CAST(@first AS TEXT))';
/** A reply's output, as JSON has it: between the beginning of every reply, and its next field. */
const OUTPUT_END = `CAST(instr(u.reply, '","question":') AS INTEGER)`;
const OUTPUT_FROM = '."output":".'.length;
const OUTPUT = `CASE WHEN ${OUTPUT_END} > 0 THEN substr(u.reply, ${OUTPUT_FROM}, ${OUTPUT_END} - ${OUTPUT_FROM}) ELSE '' END`;

/** The newest turn of the session that contains the first word. */
const hitIn = (text: string, name: string): string =>
  `(SELECT ${around(text, FIRST_WORD)} FROM turns u WHERE {u.owner = s.owner AND} u.session = s.id
     AND instr(lower(${text}), ${FIRST_WORD}) > 0 ORDER BY u.id DESC LIMIT 1) AS ${name}`;

const HITS = [hitIn('u.input', 'hit_input'), hitIn(OUTPUT, 'hit_reply')].join(', ');
const NO_HITS = 'NULL AS hit_input, NULL AS hit_reply';

/** The rest of a word, where a text was cut inside it; Chinese has no spaces between words. */
const CUT_WORD = /^…[^\s\p{Script=Han}]{0,20}\s+/u;

/** A text as JSON has it inside its quotes, with its escapes undone; only line ends are kept of its controls. */
const unescaped = (json: string): string =>
  json.replaceAll(/\\(u[0-9a-f]{4}|.)/g, (_, code: string) => {
    if (code === 'n') return '\n';
    return code.length > 1 || 'bfrt'.includes(code) ? ' ' : code;
  });

/** Markdown's marks at the beginning of a line, or around its words. */
const HEADING = /^(…?)[ \t]*#{1,6}[ \t]+/;
const EMPHASIS = /\*\*|(?<![\p{L}\p{N}])[*_]+(?=\S)|(?<=\S)[*_]+(?![\p{L}\p{N}])/gu;

/** A line without the marks of a table: blank where it is a rule, its cells where it is a row. */
const withoutCells = (line: string): string => {
  const bare = line.replace(/^…/, '').trim();
  if (bare.includes('--') && /^[ |:-]+$/.test(bare)) return '';
  return bare.startsWith('|') || bare.endsWith('|') ? line.replaceAll('|', ' ') : line;
};

/** A part of a text in Markdown, without the marks of headings, tables and emphasis. */
const withoutMarks = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => withoutCells(line.replace(HEADING, '$1')))
    .join('\n')
    .replaceAll(EMPHASIS, '');

/** The words around a searched word. A reply is stored as JSON, and written in Markdown. */
const hitOf = ({ hit_input, hit_reply }: Listed): Pick<ListedSession, 'hit'> => {
  const text = hit_input ?? (hit_reply === null ? undefined : withoutMarks(unescaped(hit_reply)));
  return text === undefined ? {} : { hit: plainLine(text.replace(CUT_WORD, '… '), HIT.chars) };
};

const STANDS =
  "AND CASE WHEN a.id IS NOT NULL THEN a.state WHEN l.outcome = 'failed' THEN 'failed' ELSE l.state END = @state";

const originOf = (first: string | null): ListedSession['forked_from'] => {
  const fork = forkIn(first);
  return fork && { session_id: fork.from_session_id, task_id: fork.from_task_id, seq: fork.at_seq };
};

const costOf = ({ last_id, last_view }: Listed): Pick<NonNullable<ListedSession['last']>, 'cost'> => {
  const view = last_id === null ? null : listedTask({ task_id: last_id, view: last_view }).view;
  return view?.cost === undefined ? {} : { cost: view.cost };
};

const listedSession = (row: Listed, queue: readonly QueuedRow[]): ListedSession => ({
  session_id: row.session_id,
  agent: row.agent,
  timezone: row.timezone,
  active: row.task_id === null ? null : listedTask({ task_id: row.task_id, view: row.view }),
  title: row.title ?? (row.first_input === null ? null : plainLine(row.first_input, TITLE_CHARS_MAX)),
  forked_from: originOf(row.first_event),
  last:
    row.last_id === null ? null : { id: row.last_id, state: row.last_state, outcome: row.last_outcome, ...costOf(row) },
  ...(row.cost !== null && row.currency !== null && { cost: { amount: row.cost, currency: row.currency } }),
  ...hitOf(row),
  queue: queue.map(({ turn_id, input, created_at }) => ({ turn_id, input, created_at: iso(created_at) })),
  ...countsIn(row),
  last_seq: row.last_seq ?? 0,
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

function* queuedTurns(owner: string, rows: readonly ListedRow[]): Queries<Map<number, QueuedRow[]>> {
  const queued = yield* query<QueuedRow>(
    `SELECT session, turn_id, input, created_at FROM turns WHERE owner = @owner AND finished_at IS NULL
       AND session IN (SELECT CAST(value AS BIGINT) FROM json_each(@ids)) AND status = 'queued' ORDER BY id`,
    { owner, ids: JSON.stringify(rows.map(({ id }) => id)) },
  );
  return Map.groupBy(queued, ({ session }) => session);
}

/**
 * An owner's sessions, most recently used first. A page of those that match a query may be shorter than its limit.
 * Folds nothing.
 */
export function* listSessions(
  owner: string,
  { limit, after }: PageRequest,
  { q = '', state, feedback, tool, min_cost, since }: SessionQuery = {},
): Queries<Page<ListedSession>> {
  const place = after === undefined ? { at: NEWEST, id: NEWEST } : placeAfter(after);
  const words = q.split(/\s+/).filter((word) => word !== '');
  const isSearch = words.length > 0 || [state, feedback, tool, min_cost].some((filter) => filter !== undefined);
  const seen = isSearch
    ? yield* query<Pick<ListedRow, 'cursor' | 'updated_at' | 'id'>>(
        `SELECT ${CURSOR}, s.updated_at, s.id FROM sessions s WHERE s.owner = @owner AND (s.updated_at, s.id) < (@at, @id)
         ORDER BY s.updated_at DESC, s.id DESC LIMIT @count`,
        { owner, ...place, count: SEARCHED_AT_ONCE },
      )
    : [];
  const last = seen.length < SEARCHED_AT_ONCE ? undefined : seen.at(-1);
  const rows = yield* query<ListedRow>(
    `${listed(words.length > 0 ? HITS : NO_HITS)} AND s.updated_at >= @since AND (s.updated_at, s.id) < (@at, @id) AND (s.updated_at, s.id) >= (@last_at, @last_id)
      ${words.length > 0 ? HAS_WORDS : ''} ${state === undefined ? '' : STANDS} ${feedback === undefined ? '' : IS_RATED}
      ${tool === undefined ? '' : USES_TOOL} ${min_cost === undefined ? '' : COSTS}
      ORDER BY s.updated_at DESC, s.id DESC LIMIT @limit`,
    {
      owner,
      ...place,
      limit,
      last_at: last?.updated_at ?? 0,
      last_id: last?.id ?? 0,
      words: JSON.stringify(words),
      state: state ?? null,
      feedback: feedback ?? null,
      tool: tool ?? null,
      min_cost: min_cost ?? null,
      since: since === undefined ? 0 : Date.parse(since),
      first: words[0] ?? null,
    },
  );
  const queues = yield* queuedTurns(owner, rows);
  const { items, next } = pageOf(rows, limit, (row) => listedSession(row, queues.get(row.id) ?? []));
  return { items, next: next ?? last?.cursor ?? null };
}

export function* renameSession({ owner, session_id }: SessionKey, title: string | null): Queries<boolean> {
  const renamed = yield* query(
    'UPDATE sessions SET title = @title WHERE owner = @owner AND session_id = @session_id RETURNING id',
    { owner, session_id, title },
  );
  return renamed.length > 0;
}

export function* findSession({ owner, session_id }: SessionKey): Queries<ListedSession | null> {
  const row = yield* queryOne<ListedRow>(`${listed(NO_HITS)} AND s.session_id = @session_id`, { owner, session_id });
  return row === null ? null : listedSession(row, (yield* queuedTurns(owner, [row])).get(row.id) ?? []);
}
