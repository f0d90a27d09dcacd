-- What the engine keeps: sessions, their tasks, the trace, rare snapshots, and turns. Times are epoch milliseconds.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  session_id TEXT NOT NULL,
  timezone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (owner, session_id)
) STRICT;

-- `state` is written when a task opens ('running') and when it comes to rest, not at every event.
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  -- When the task was last opened, resumed or brought to rest: the session's most recent task has the greatest.
  touched_at_seq INTEGER NOT NULL,
  -- How often the open effect was found without an outcome, and which effect that was.
  begins INTEGER NOT NULL DEFAULT 0,
  begun_effect TEXT,
  -- The task as the API shows it, once it has ended.
  view TEXT
) STRICT;
CREATE INDEX tasks_of_session ON tasks (session, touched_at_seq);
CREATE INDEX tasks_running ON tasks (id) WHERE state = 'running';

-- One row an event, in order of time. `effects` is null when the event asked for none; `task` is null for a session's own events.
-- It has no index and no foreign key: either would be a second page to write for each event. `entry_index` finds a session's own.
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  task INTEGER,
  at INTEGER NOT NULL,
  machine INTEGER NOT NULL,
  state TEXT,
  step_count INTEGER,
  event TEXT NOT NULL,
  effects TEXT
) STRICT;

-- Where each session's entries are. Filled for many entries at once, so the newest are not in it: those above `up_to`.
CREATE TABLE entry_index (
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  entry INTEGER NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE entry_index_end (up_to INTEGER NOT NULL) STRICT;
INSERT INTO entry_index_end VALUES (0);

-- The entries as they are read, by session and seq: those in the index, and the newest, which are few enough to scan.
CREATE VIEW history AS
  SELECT i.session, i.seq, e.id, e.task, e.at, e.machine, e.state, e.step_count, e.event, e.effects
  FROM entry_index i JOIN entries e ON e.id = i.entry
  UNION ALL
  SELECT session, seq, id, task, at, machine, state, step_count, event, effects
  FROM entries WHERE id > (SELECT up_to FROM entry_index_end);

CREATE TABLE machines (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE snapshots (
  task INTEGER PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  machine INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE turns (
  id INTEGER PRIMARY KEY,
  turn_id TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  owner TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL,
  task INTEGER REFERENCES tasks (id) ON DELETE CASCADE,
  input TEXT NOT NULL,
  confirm_plan INTEGER,
  callback_url TEXT,
  idempotency_key TEXT,
  body_hash TEXT,
  -- The reply as it was given: { output, question, task }. Where the task ended with it, `task` is null here: its own row has the view.
  reply TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- When the finished turn was posted to its callback_url, or given up on.
  called_back_at INTEGER
) STRICT;
CREATE INDEX turns_to_call_back ON turns (id)
  WHERE callback_url IS NOT NULL AND called_back_at IS NULL AND finished_at IS NOT NULL;
CREATE UNIQUE INDEX turns_by_key ON turns (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_open ON turns (session, id) WHERE finished_at IS NULL;
