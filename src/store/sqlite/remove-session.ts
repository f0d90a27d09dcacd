import type { Database } from 'better-sqlite3';
import { REMOVED_NAME } from './removed-sessions.ts';

/** The session's name, where a table bears that and not its number. */
const NAME = '(SELECT owner, session_id FROM sessions WHERE id = @id)';

/** What goes by the session's name. What is remembered of conversations is at most `REMEMBERED_CONVERSATIONS_MAX` rows, and there are at most `NAMED_PLANS_MAX` plans. */
const REMOVE = [
  `DELETE FROM remembered_conversations WHERE (owner, session_id) = ${NAME}`,
  `UPDATE named_plans SET session_id = (SELECT ${REMOVED_NAME} FROM sessions WHERE id = @id) WHERE (owner, session_id) = ${NAME}`,
  'INSERT INTO removed_sessions (id) VALUES (@id)',
];

/**
 * Makes what removes one session, inside the caller's transaction: from its commit on nobody can read any of it, and its name is free. Its rows are
 * swept afterwards (`sweep-removed.ts`). Todos, schedule and reminders stay, for they are the owner's. Gives the bytes of turns and trace that went.
 */
export const removeSession = (db: Database): ((id: number) => number) => {
  const statements = REMOVE.map((sql) => db.prepare(sql));
  const rename = db
    .prepare<[number], number>(`UPDATE sessions SET session_id = ${REMOVED_NAME} WHERE id = ? RETURNING stored_bytes`)
    .pluck();
  return (id) => {
    // Until the commit: a plan refers to its session by name, and neither can be renamed first.
    db.pragma('defer_foreign_keys = ON');
    for (const statement of statements) statement.run({ id });
    return rename.get(id) ?? 0;
  };
};
