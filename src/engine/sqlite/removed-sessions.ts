/**
 * A removed session whose rows are not all gone yet keeps its own row, which they refer to, under a name that no caller can give to one
 * (`contracts/ids.ts`): its name is free at once, and nobody finds it. SQL of that name, of a row of `sessions`.
 */
export const REMOVED_NAME = "'/' || id";

/** True of a row of `sessions` that was not removed; in a database of any version. */
export const IS_KEPT = "session_id NOT GLOB '/*'";

/** Follows a session's number: true where it was not removed. SQLite looks it up in a table that is mostly empty. */
export const NOT_REMOVED = 'NOT IN (SELECT id FROM removed_sessions)';
