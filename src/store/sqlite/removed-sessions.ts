/** Sessions that were removed since the last clean end, whose names no other session has: their folders may still be there. */
export const REMOVED_LATELY = `
  SELECT owner, session_id FROM removed_sessions
  WHERE (owner, session_id) NOT IN (SELECT owner, session_id FROM sessions)`;
