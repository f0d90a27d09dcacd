-- The trace's (session, seq) is unique by the database, a task's view is kept whenever it is settled, and a callback's posts are counted.

DROP VIEW history;
DROP TABLE entry_index;
DROP TABLE entry_index_end;
CREATE UNIQUE INDEX entries_by_seq ON entries (session, seq);

ALTER TABLE tasks RENAME COLUMN begins TO attempts;
ALTER TABLE tasks RENAME COLUMN begun_effect TO attempted_effect;

-- Without its key on tasks: removing a session would search all turns once a task for it, and takes the turns by their session.
CREATE TABLE new_turns (
  id INTEGER PRIMARY KEY,
  turn_id TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL REFERENCES sessions (id),
  owner TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  task INTEGER,
  input TEXT NOT NULL,
  confirm_plan INTEGER,
  callback_url TEXT,
  idempotency_key TEXT,
  body_hash TEXT,
  -- The reply as it was given: { output, question, task }. Where the task ended with it, `task` is null here: its own row has the view.
  reply TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- When the finished turn is posted to its callback_url next; null where it is not, or no longer.
  callback_due_at INTEGER,
  -- Posts that were not accepted so far, and how it ended: 'delivered' or 'given_up'.
  callback_attempts INTEGER NOT NULL DEFAULT 0,
  callback_outcome TEXT
) STRICT;
INSERT INTO new_turns
  SELECT id, turn_id, session, owner, kind, status, task, input, confirm_plan, callback_url, idempotency_key, body_hash, reply,
    created_at, finished_at,
    CASE WHEN callback_url IS NOT NULL AND called_back_at IS NULL THEN finished_at END, 0,
    CASE WHEN called_back_at IS NOT NULL THEN 'delivered' END
  FROM turns;
DROP TABLE turns;
ALTER TABLE new_turns RENAME TO turns;
CREATE INDEX turns_with_callback ON turns (callback_due_at, id) WHERE callback_due_at IS NOT NULL;
CREATE UNIQUE INDEX turns_by_key ON turns (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_open ON turns (session, id) WHERE finished_at IS NULL;
CREATE INDEX turns_of_session ON turns (session);
