import type { Database, Statement } from 'better-sqlite3';
import { longText, withLongTexts } from './long-texts.ts';
import type { EntryRow, SessionRow, TaskRow, TurnRow, WaitingRow } from './rows.ts';
import { ACTIVE_STATES, unendedOf } from './unended-tasks.ts';

// Names are looked up and not joined: SQLite plans a join with bound values anew at every call, which takes longer than the query.
const ENTRY = `SELECT e.seq, (SELECT task_id FROM tasks WHERE id = e.task) AS task_id, e.at,
  (SELECT name FROM machines WHERE id = e.machine) AS machine, e.state, e.step_count, CAST(e.event AS BLOB) AS event, e.effects`;
/** The reply of a turn `u`, which may be that of another one. */
const REPLY = 'iif(u.reply_of IS NULL, u.reply, (SELECT reply FROM turns WHERE id = u.reply_of))';
const TURN = `SELECT u.id, u.owner, u.turn_id, (SELECT session_id FROM sessions WHERE id = u.session) AS session_id,
  (SELECT task_id FROM tasks WHERE id = u.task) AS task_id, u.kind, u.status, u.input, u.confirm_plan, u.planning,
  u.conversation, u.callback_url,
  u.body_hash, ${longText(REPLY, 'reply')}, ${longText('(SELECT view FROM tasks WHERE id = u.task)', 'view')}, u.created_at, u.finished_at`;
const TASK = `id, task_id, session, state, first_seq, touched_at_seq, attempts, attempted_effect, ${longText('view', 'view')}`;
/** The same without the view, which may take longer to read than what is asked for. */
const BARE_TASK = 'id, task_id, session, state, first_seq, touched_at_seq, attempts, attempted_effect, NULL AS view';

/** Tasks of an owner that are looked at in an index in one turn of the event loop: a few milliseconds. */
export const TASKS_A_TURN = 20_000;

const WAITING = `tasks INDEXED BY tasks_waiting WHERE owner = ? AND waiting_since IS NOT NULL AND (waiting_since, id) > (?, ?)
 `;

/** A bound number that SQLite does not look at to plan: with another it plans most queries of a session's rows anew at every call, which takes longer than the query. */
const GIVEN = 'CAST(? AS INTEGER)';

/** The statements that store changes, prepared once. Times are epoch milliseconds. */
export const prepareWrites = (db: Database) => ({
  addSession: db.prepare(
    `INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at, copied_bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ),
  /** A null time zone leaves the session's as it is. */
  useSession: db.prepare(
    'UPDATE sessions SET updated_at = ?, timezone = coalesce(?, timezone), turn_count = turn_count + 1 WHERE id = ?',
  ),
  addTask: db.prepare(
    "INSERT INTO tasks (task_id, session, owner, state, first_seq, touched_at_seq) VALUES (?, ?, ?, 'running', ?, ?)",
  ),
  /** A task that waited already, such as one whose plan is edited, waits since then. */
  taskId: db.prepare<[string], number>('SELECT id FROM tasks WHERE task_id = ?').pluck(),
  moveTask: db.prepare(
    `UPDATE tasks SET state = @state, outcome = @outcome, touched_at_seq = @touched_at_seq, view = @view, question = @question,
       waiting_since = CASE WHEN @state NOT IN ('awaiting_user', 'paused') THEN NULL
         WHEN state = @state THEN waiting_since ELSE @at END
     WHERE task_id = @task_id`,
  ),
  setAttempts: db.prepare('UPDATE tasks SET attempts = ?, attempted_effect = ? WHERE id = ?'),
  addEntry: db.prepare(
    `INSERT INTO entries (session, seq, task, at, machine, state, step_count, event, effects)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  saveSnapshot: db.prepare(
    `INSERT INTO snapshots (task, seq, machine, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (task) DO UPDATE SET seq = excluded.seq, machine = excluded.machine, body = excluded.body`,
  ),
  dropSnapshot: db.prepare(`DELETE FROM snapshots WHERE task = ?`),
  addTurn: db.prepare(
    `INSERT INTO turns (turn_id, session, owner, kind, status, task, input, confirm_plan, planning, conversation, callback_url, idempotency_key, body_hash,
     reply, created_at, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  bindTurn: db.prepare(`UPDATE turns SET task = ?, status = 'running' WHERE turn_id = ?`),
  /** Without a reply of its own it has that of the turn `same`. */
  finishTurn: db.prepare(
    `UPDATE turns SET status = @status, reply = @reply, finished_at = @at, reply_of = (SELECT id FROM turns WHERE turn_id = @same)
     WHERE turn_id = @turn_id`,
  ),
  addMachine: db.prepare('INSERT OR IGNORE INTO machines (name) VALUES (?)'),
  setMeta: db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)'),
});

/** Turns among which those of a conversation are looked for: a session may have 100,000 commands. */
const LATEST_TURNS = 2_000;

const THE_SESSION = 'CAST(@session AS INTEGER)';

type Prepare = <Bound extends unknown[] | object, Row>(
  sql: string,
) => Statement<Bound extends unknown[] ? Bound : [Bound], Row>;

/** The statements that read traces, prepared once. They work on a database of any version, so that it can be read unmigrated. */
export const prepareTraceReads = (db: Database) => {
  const one: Prepare = (sql) => db.prepare(sql);
  const long = <Bound extends unknown[], Row>(sql: string) => withLongTexts<Bound, Row>(db.prepare(sql));
  return {
    sessionById: one<[number], SessionRow>(`SELECT * FROM sessions WHERE id = ?`),
    taskByName: one<[string], TaskRow>('SELECT * FROM tasks WHERE task_id = ?'),
    entriesAfter: long<[number, number, number], EntryRow>(
      `${ENTRY} FROM entries e WHERE e.session = ${GIVEN} AND e.seq > ${GIVEN} ORDER BY e.seq LIMIT ${GIVEN}`,
    ),
    taskEntriesAfter: long<[number, number, number, number], EntryRow>(
      `${ENTRY} FROM entries e WHERE e.session = ${GIVEN} AND e.seq > ${GIVEN} AND e.task = ${GIVEN} ORDER BY e.seq LIMIT ${GIVEN}`,
    ),
  };
};

/** The statements that read, prepared once. */
export const prepareReads = (db: Database) => {
  const one: Prepare = (sql) => db.prepare(sql);
  const long = <Bound extends unknown[], Row>(sql: string) => withLongTexts<Bound, Row>(db.prepare(sql));
  return {
    ...prepareTraceReads(db),
    taskByName: one<[string], TaskRow>(`SELECT ${BARE_TASK} FROM tasks WHERE task_id = ?`),
    sessionByName: one<[string, string], SessionRow>(`SELECT * FROM sessions WHERE owner = ? AND session_id = ?`),
    sessionsOf: one<[string, bigint, number, number], SessionRow & { place: string }>(
      `SELECT *, updated_at || '.' || id AS place FROM sessions WHERE owner = ? AND (updated_at, id) < (?, ?)
       ORDER BY updated_at DESC, id DESC LIMIT ?`,
    ),
    lastSession: one<[], { id: number }>('SELECT max(id) AS id FROM sessions'),
    lastUsed: one<[number], { at: number | null }>(
      `SELECT max(updated_at) AS at FROM sessions WHERE updated_at <= ${GIVEN}`,
    ),
    lastEntry: one<[number], { seq: number; at: number }>(
      `SELECT seq, at FROM entries WHERE session = ${GIVEN} ORDER BY seq DESC LIMIT 1`,
    ),
    recentTask: one<[number], TaskRow>(
      `SELECT ${BARE_TASK} FROM tasks WHERE session = ${GIVEN} ORDER BY touched_at_seq DESC LIMIT 1`,
    ),
    activeTask: one<{ session: number }, TaskRow>(
      `SELECT ${BARE_TASK} FROM tasks INDEXED BY tasks_by_state WHERE ${unendedOf(THE_SESSION, ACTIVE_STATES)} ORDER BY touched_at_seq DESC LIMIT 1`,
    ),
    // Among the latest tasks first, for of those that are paused there may be thousands, too.
    lastPaused: one<{ session: number }, { task_id: string }>(
      `SELECT task_id FROM (SELECT task_id, state FROM tasks WHERE session = ${THE_SESSION} ORDER BY touched_at_seq DESC LIMIT 500) WHERE state = 'paused'
       UNION ALL SELECT task_id FROM (SELECT task_id FROM tasks INDEXED BY tasks_by_state
         WHERE ${unendedOf(THE_SESSION, "'paused'")} ORDER BY touched_at_seq DESC LIMIT 1) LIMIT 1`,
    ),
    tasksOf: long<[number, number, number], TaskRow>(
      `SELECT ${TASK} FROM tasks WHERE session = ${GIVEN} AND first_seq > ${GIVEN} ORDER BY first_seq LIMIT ${GIVEN}`,
    ),
    /** The last one of so many as are looked at in one turn of the event loop. */
    lastWaiting: one<[string, bigint | number, number], { place: string }>(
      `SELECT waiting_since || '.' || id AS place FROM ${WAITING} ORDER BY waiting_since, id LIMIT 1 OFFSET ${TASKS_A_TURN - 1}`,
    ),
    waitingTasks: one<
      [string, bigint | number, number, bigint | number, number, string, number],
      Pick<WaitingRow, 'id' | 'waiting_since'> & { place: string }
    >(
      `SELECT id, waiting_since, waiting_since || '.' || id AS place FROM ${WAITING} AND (waiting_since, id) <= (?, ?)
         AND state IN (SELECT value FROM json_each(?)) ORDER BY waiting_since, id LIMIT ?`,
    ),
    waitingTask: long<[number], WaitingRow>(
      `SELECT ${TASK}, owner, question, waiting_since, (SELECT session_id FROM sessions WHERE id = t.session) AS session_id FROM tasks t WHERE id = ?`,
    ),
    runningTasks: one<[], TaskRow>(`SELECT ${BARE_TASK} FROM tasks WHERE state = 'running' ORDER BY id`),
    tasksMovedLast: one<[number], TaskRow>(
      `SELECT ${BARE_TASK} FROM tasks WHERE id IN (SELECT task FROM entries WHERE task IS NOT NULL ORDER BY id DESC LIMIT ?)`,
    ),
    machineId: one<[string], { id: number }>('SELECT id FROM machines WHERE name = ?'),
    lastEffects: one<[number, number], { effects: string }>(
      `SELECT effects FROM entries WHERE session = ${GIVEN} AND task = ${GIVEN} AND effects IS NOT NULL ORDER BY seq DESC LIMIT 1`,
    ),
    snapshot: long<[number], { seq: number; machine: string; body: string }>(
      `SELECT seq, (SELECT name FROM machines WHERE id = p.machine) AS machine,
         CAST(body AS BLOB) AS body
       FROM snapshots p WHERE task = ?`,
    ),
    openTurns: long<[number], TurnRow>(
      `${TURN} FROM turns u INDEXED BY turns_open WHERE u.session = ${GIVEN} AND u.finished_at IS NULL ORDER BY u.id`,
    ),
    lastAnswered: one<[number, number, number], { said: string; answered: string }>(
      `SELECT u.input AS said, ${REPLY} ->> '$.output' AS answered FROM turns u
       WHERE u.session = ${GIVEN} AND u.kind = 'task' AND u.finished_at IS NOT NULL AND u.id > coalesce(
         (SELECT id FROM turns WHERE session = ${GIVEN} ORDER BY id DESC LIMIT 1 OFFSET ${LATEST_TURNS}), 0) ORDER BY u.id DESC LIMIT ${GIVEN}`,
    ),
    sessionsWithOpenTurns: one<[], { session: number }>('SELECT DISTINCT session FROM turns WHERE finished_at IS NULL'),
    turnsOf: long<[number, number, number], TurnRow>(
      `${TURN} FROM turns u INDEXED BY turns_of_session WHERE u.session = ${GIVEN} AND u.id < ${GIVEN} ORDER BY u.id DESC LIMIT ${GIVEN}`,
    ),
    taskOfOwner: one<[string, string], TaskRow>(`SELECT ${BARE_TASK} FROM tasks WHERE task_id = ? AND owner = ?`),
    taskView: long<[number], Pick<TaskRow, 'view'>>(`SELECT ${longText('view', 'view')} FROM tasks WHERE id = ?`),
    turnOfOwner: long<[string, string], TurnRow>(`${TURN} FROM turns u WHERE u.turn_id = ? AND u.owner = ?`),
    inputOfTurn: one<[string, string], Pick<TurnRow, 'input'>>(
      `SELECT input FROM turns WHERE turn_id = ? AND owner = ?`,
    ),
    turnByKey: long<[string, string], TurnRow>(`${TURN} FROM turns u WHERE u.owner = ? AND u.idempotency_key = ?`),
    meta: one<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
  };
};

export type Writes = ReturnType<typeof prepareWrites>;
export type TraceReads = ReturnType<typeof prepareTraceReads>;
export type Reads = ReturnType<typeof prepareReads>;
