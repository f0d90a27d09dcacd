-- A removal deletes all rows of a session. What was removed since the last clean end is listed, for its folder may still be there.

DROP TABLE removed_sessions;
CREATE TABLE removed_sessions (owner TEXT NOT NULL, session_id TEXT NOT NULL, PRIMARY KEY (owner, session_id)) STRICT, WITHOUT ROWID;
DROP VIEW trace_entries;
