import type { Database } from 'better-sqlite3';
import type { DroppedCallback } from '../../engine/outbox/message.ts';

/** The session's name, where a table bears that and not its number. */
const NAME = '(SELECT owner, session_id FROM sessions WHERE id = @id)';

const REMOVE = [
  'DELETE FROM outbox WHERE session = @id',
  'DELETE FROM model_calls WHERE task IN (SELECT id FROM tasks WHERE session = @id)',
  'DELETE FROM entries WHERE session = @id',
  'DELETE FROM turns WHERE session = @id',
  'DELETE FROM tasks WHERE session = @id',
  `DELETE FROM named_plan_steps WHERE plan IN (SELECT id FROM named_plans WHERE (owner, session_id) = ${NAME})`,
  ...['named_plans', 'remembered_conversations'].map(
    (table) => `DELETE FROM ${table} WHERE (owner, session_id) = ${NAME}`,
  ),
  'INSERT INTO removed_sessions (owner, session_id) SELECT owner, session_id FROM sessions WHERE id = @id ON CONFLICT DO NOTHING',
  'DELETE FROM sessions WHERE id = @id',
];

/**
 * Makes the removal of one session with all its rows, inside the caller's transaction. Todos, schedule and reminders stay, for they are the owner's.
 * Gives the callbacks that were still to be posted.
 */
export const removeSession = (db: Database): ((id: number) => DroppedCallback[]) => {
  const pending = db.prepare<[number], DroppedCallback>(
    "SELECT reader, owner FROM outbox WHERE session = ? AND state = 'pending'",
  );
  const statements = REMOVE.map((sql) => db.prepare(sql));
  return (id) => {
    const dropped = pending.all(id);
    for (const statement of statements) statement.run({ id });
    return dropped;
  };
};
