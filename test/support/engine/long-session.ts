import type { Database } from 'better-sqlite3';

/** Gives a session so many more finished turns, each with a paused task, a key (`many <number>`), a callback that was delivered and a kept call. */
export const addManyTurns = (db: Database, session: string, count: number): void => {
  const each = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @count)';
  const add = (sql: string): unknown => db.prepare(`${each} ${sql}`).run({ count, session });
  const of = '(SELECT id FROM sessions WHERE session_id = @session)';
  const task = "(SELECT id FROM tasks WHERE task_id = 'task_many_' || i)";
  db.transaction(() => {
    add(`INSERT INTO tasks (task_id, session, owner, state, first_seq, touched_at_seq, question, waiting_since, view)
      SELECT 'task_many_' || i, ${of}, 'local', 'paused', 1000 + i, 0, 'Why?', i,
        (SELECT view FROM tasks WHERE session = ${of} AND view IS NOT NULL LIMIT 1) FROM n`);
    add(`INSERT INTO turns (turn_id, session, owner, kind, status, task, input, idempotency_key, reply, created_at, finished_at)
      SELECT 'turn_many_' || i, ${of}, 'local', 'task', 'paused', ${task}, 'Hello', 'many ' || i,
        '{"output":"Hi","question":null,"task":null}', i, i FROM n`);
    add(`INSERT INTO outbox (id, reader, owner, session, event, url, turn_id, state, created_at, ended_at)
      SELECT 'callback_many_' || i, 'local', 'local', ${of}, 'turn.finished', 'http://own.example/', 'turn_many_' || i, 'delivered', i, i FROM n`);
    add(`INSERT INTO model_calls (task, owner, effect_id, at, facts, body, bytes)
      SELECT ${task}, 'local', 'task_many_' || i || '.1', i, '{}', zeroblob(200), 200 FROM n`);
  })();
};

/** The number of rows that sessions which were removed have left. */
export const rowsLeft = (db: Database): number => {
  const removed = 'SELECT id FROM removed_sessions';
  const counts = [
    'SELECT count(*) FROM removed_sessions',
    ...['entries', 'turns', 'tasks', 'outbox'].map(
      (table) => `SELECT count(*) FROM ${table} WHERE session IN (${removed})`,
    ),
  ];
  return counts.reduce((sum, sql) => sum + Number(db.prepare(sql).pluck().get()), 0);
};
