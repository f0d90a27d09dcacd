/**
 * SQL that is true of the rows of `tasks` in one of the states that do not end, for the session with a number. With `INDEXED BY tasks_by_state` it reads these alone: of tasks that
 * ended a session may have tens of thousands.
 */
export const unendedOf = (session: string, states: string): string =>
  `session = ${session} AND owner = (SELECT owner FROM sessions WHERE id = ${session}) AND outcome IS NULL AND state IN (${states})`;

/** States of a task that is worked on or asks. */
export const ACTIVE_STATES = "'running', 'awaiting_user'";
