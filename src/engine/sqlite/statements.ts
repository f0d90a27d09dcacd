import type { Database, Statement } from 'better-sqlite3';
import { INDEX_ENTRIES } from './append-entry.ts';
import type { EntryRow, SessionRow, TaskRow, TurnRow } from './rows.ts';

// The names are looked up and not joined: what binds its values to a join is planned anew at every call, which takes longer than
// the query.
const ENTRY = `SELECT e.seq, e.task, (SELECT task_id FROM tasks WHERE id = e.task) AS task_id, e.at,
  (SELECT name FROM machines WHERE id = e.machine) AS machine, e.state, e.step_count, e.event, e.effects
  FROM history e`;
const TURN = `SELECT u.turn_id, (SELECT session_id FROM sessions WHERE id = u.session) AS session_id,
  (SELECT task_id FROM tasks WHERE id = u.task) AS task_id, u.kind, u.status, u.input, u.confirm_plan, u.callback_url,
  u.body_hash, u.reply, (SELECT view FROM tasks WHERE id = u.task) AS view, u.created_at, u.finished_at
  FROM turns u`;

/** Every statement of the engine, prepared once. Times are epoch milliseconds. */
export const prepareStatements = (db: Database) => {
  const one = <Bound extends unknown[], Row>(sql: string): Statement<Bound, Row> => db.prepare<Bound, Row>(sql);
  return {
    sessionByName: one<[string, string], SessionRow>('SELECT * FROM sessions WHERE owner = ? AND session_id = ?'),
    sessionById: one<[number], SessionRow>('SELECT * FROM sessions WHERE id = ?'),
    sessionsOf: one<[string, number], SessionRow>(
      'SELECT * FROM sessions WHERE owner = ? ORDER BY updated_at DESC, id DESC LIMIT ?',
    ),
    lastSession: one<[], { id: number }>('SELECT id FROM sessions ORDER BY id DESC LIMIT 1'),
    /** Two inputs that a new session gets at once both bring it; a session of another number under its name is an error. */
    addSession: db.prepare(
      'INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
    ),
    /** A null time zone leaves the session's as it is. */
    useSession: db.prepare('UPDATE sessions SET updated_at = ?, timezone = coalesce(?, timezone) WHERE id = ?'),
    lastSeq: one<[number], { seq: number }>('SELECT seq FROM history WHERE session = ? ORDER BY seq DESC LIMIT 1'),

    addTask: db.prepare(
      "INSERT INTO tasks (task_id, session, state, first_seq, touched_at_seq) VALUES (?, ?, 'running', ?, ?)",
    ),
    setTaskState: db.prepare('UPDATE tasks SET state = ?, touched_at_seq = ? WHERE id = ?'),
    endTask: db.prepare('UPDATE tasks SET state = ?, touched_at_seq = ?, view = ? WHERE id = ?'),
    setBegins: db.prepare('UPDATE tasks SET begins = ?, begun_effect = ? WHERE id = ?'),
    taskByName: one<[string], TaskRow>('SELECT * FROM tasks WHERE task_id = ?'),
    taskOfOwner: one<[string, string], TaskRow>(
      'SELECT * FROM tasks WHERE task_id = ? AND (SELECT owner FROM sessions WHERE id = tasks.session) = ?',
    ),
    recentTask: one<[number], TaskRow>('SELECT * FROM tasks WHERE session = ? ORDER BY touched_at_seq DESC LIMIT 1'),
    activeTask: one<[number], TaskRow>(
      "SELECT * FROM tasks WHERE session = ? AND state IN ('running', 'awaiting_user') ORDER BY touched_at_seq DESC LIMIT 1",
    ),
    lastPaused: one<[number], TaskRow>(
      "SELECT * FROM tasks WHERE session = ? AND state = 'paused' ORDER BY touched_at_seq DESC LIMIT 1",
    ),
    tasksOf: one<[number], TaskRow>('SELECT * FROM tasks WHERE session = ? ORDER BY first_seq'),
    runningTasks: one<[], TaskRow>("SELECT * FROM tasks WHERE state = 'running' ORDER BY id"),

    tasksMovedLast: one<[number], TaskRow>(
      'SELECT * FROM tasks WHERE id IN (SELECT task FROM entries WHERE task IS NOT NULL ORDER BY id DESC LIMIT ?)',
    ),

    addMachine: db.prepare('INSERT OR IGNORE INTO machines (name) VALUES (?)'),
    machineId: one<[string], { id: number }>('SELECT id FROM machines WHERE name = ?'),
    addEntry: db.prepare(
      'INSERT INTO entries (session, seq, task, at, machine, state, step_count, event, effects) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    indexNewest: db.prepare(INDEX_ENTRIES.newest),
    setIndexEnd: db.prepare(INDEX_ENTRIES.end),
    entriesAfter: one<[number, number, number], EntryRow>(
      `${ENTRY} WHERE e.session = ? AND e.seq > ? ORDER BY e.seq LIMIT ?`,
    ),
    taskEntriesAfter: one<[number, number, number, number], EntryRow>(
      `${ENTRY} WHERE e.session = ? AND e.seq > ? AND e.task = ? ORDER BY e.seq LIMIT ?`,
    ),
    lastEffects: one<[number, number], { seq: number; effects: string }>(
      'SELECT seq, effects FROM history WHERE session = ? AND task = ? AND effects IS NOT NULL ORDER BY seq DESC LIMIT 1',
    ),
    snapshot: one<[number], { seq: number; machine: string; body: string }>(
      'SELECT seq, (SELECT name FROM machines WHERE id = snapshots.machine) AS machine, body FROM snapshots WHERE task = ?',
    ),
    saveSnapshot: db.prepare('INSERT OR REPLACE INTO snapshots (task, seq, machine, body) VALUES (?, ?, ?, ?)'),

    dropSnapshot: db.prepare('DELETE FROM snapshots WHERE task = ?'),

    addTurn: db.prepare(
      `INSERT INTO turns (turn_id, session, owner, kind, status, task, input, confirm_plan, callback_url, idempotency_key,
       body_hash, reply, created_at, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    bindTurn: db.prepare("UPDATE turns SET task = ?, status = 'running' WHERE turn_id = ?"),
    finishTurn: db.prepare('UPDATE turns SET status = ?, reply = ?, finished_at = ? WHERE turn_id = ?'),
    turnsOfTask: one<[number, number], { turn_id: string }>(
      'SELECT turn_id FROM turns INDEXED BY turns_open WHERE session = ? AND finished_at IS NULL AND task = ? ORDER BY id',
    ),
    queuedTurns: one<[number], TurnRow>(
      `${TURN.replace('turns u', 'turns u INDEXED BY turns_open')} WHERE u.session = ? AND u.finished_at IS NULL
       AND u.status = 'queued' ORDER BY u.id`,
    ),
    sessionsWithOpenTurns: one<[], { session: number }>('SELECT DISTINCT session FROM turns WHERE finished_at IS NULL'),
    taskEvents: one<[number, number, number], { seq: number; event: string }>(
      'SELECT seq, event FROM history WHERE session = ? AND seq >= ? AND task = ? ORDER BY seq',
    ),
    turnEnd: one<[string, string], { finished_at: number | null }>(
      'SELECT finished_at FROM turns WHERE turn_id = ? AND owner = ?',
    ),
    turnOfOwner: one<[string, string], TurnRow>(`${TURN} WHERE u.turn_id = ? AND u.owner = ?`),
    turnByKey: one<[string, string], TurnRow>(`${TURN} WHERE u.owner = ? AND u.idempotency_key = ?`),

    turnsToCallBack: one<[], TurnRow>(
      `${TURN} WHERE u.callback_url IS NOT NULL AND u.called_back_at IS NULL AND u.finished_at IS NOT NULL ORDER BY u.id`,
    ),
    setCalledBack: db.prepare('UPDATE turns SET called_back_at = ? WHERE turn_id = ?'),

    meta: one<[string], { value: string }>('SELECT value FROM meta WHERE key = ?'),
    setMeta: db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)'),
  };
};

export type Statements = ReturnType<typeof prepareStatements>;
