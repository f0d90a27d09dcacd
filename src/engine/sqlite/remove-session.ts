import type { Database } from 'better-sqlite3';
import { REMOVE_FROM_OUTBOX } from './outbox.ts';

/** All that belongs to a session, children first. Todos, schedule and reminders stay, for they are the owner's. */
const REMOVE = [
  `DELETE FROM named_plan_steps WHERE plan IN
    (SELECT p.id FROM named_plans p JOIN sessions s USING (owner, session_id) WHERE s.id = @id)`,
  'DELETE FROM named_plans WHERE (owner, session_id) = (SELECT owner, session_id FROM sessions WHERE id = @id)',
  'DELETE FROM remembered_conversations WHERE (owner, session_id) = (SELECT owner, session_id FROM sessions WHERE id = @id)',
  'DELETE FROM model_calls WHERE task IN (SELECT id FROM tasks WHERE session = @id)',
  'DELETE FROM snapshots WHERE task IN (SELECT id FROM tasks WHERE session = @id)',
  'INSERT INTO removed_sessions (id) VALUES (@id)',
  ...REMOVE_FROM_OUTBOX,
  'DELETE FROM turns WHERE session = @id',
  'DELETE FROM tasks WHERE session = @id',
];

/**
 * Makes what removes one session with all its rows, inside the caller's transaction, but for its entries: nobody can read them any more, and
 * they are swept (`sweep-removed.ts`). Gives the bytes of turns and trace that went.
 */
export const removeSession = (db: Database): ((id: number) => number) => {
  const statements = REMOVE.map((sql) => db.prepare(sql));
  const removeRow = db.prepare<[number], number>('DELETE FROM sessions WHERE id = ? RETURNING stored_bytes').pluck();
  return (id) => {
    for (const statement of statements) statement.run({ id });
    return removeRow.get(id) ?? 0;
  };
};
