/**
 * A removed session whose rows are not all gone yet keeps its own row, which they refer to, under a name that no caller can give to one
 * (`contracts/ids.ts`): its name is free at once, and nobody finds it. It ends with the old one, by which a process that died before finds the folder.
 * SQL of that name, of a row of `sessions`.
 */
export const REMOVED_NAME = "'/' || id || '/' || session_id";

/** SQL of the name that such a row had before; of one that an older version removed it is empty. */
const OLD_NAME = 'substr(session_id, length(id) + 3)';

/** Sessions that were removed lately, whose names no other session has. */
export const REMOVED_LATELY = `
  SELECT owner, ${OLD_NAME} AS session_id FROM sessions AS removed WHERE id IN (SELECT id FROM removed_sessions) AND ${OLD_NAME} <> ''
    AND NOT EXISTS (SELECT 1 FROM sessions AS other WHERE other.owner = removed.owner AND other.session_id = substr(removed.session_id, length(removed.id) + 3))`;

/** True of a row of `sessions` that was not removed; in a database of any version. */
export const IS_KEPT = "session_id NOT GLOB '/*'";

/** Follows a session's number: true where it was not removed. SQLite looks it up in a table that is mostly empty. */
export const NOT_REMOVED = 'NOT IN (SELECT id FROM removed_sessions)';
