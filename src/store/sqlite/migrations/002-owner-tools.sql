-- Todos, schedule events and their reminders: they belong to an owner, so all of an owner's sessions share them (SPEC 8).
-- *_at are epoch milliseconds, *_minutes minutes, *_ms milliseconds. Ids count from 1 per owner and are never used again.

CREATE TABLE owner_counters (
  owner TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('todo', 'schedule')),
  last_id INTEGER NOT NULL,
  PRIMARY KEY (owner, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE todos (
  owner TEXT NOT NULL,
  id INTEGER NOT NULL,
  text TEXT NOT NULL,
  -- The text as it is searched: compatibility forms unified, lower case in all of Unicode.
  search_text TEXT NOT NULL,
  priority INTEGER NOT NULL CHECK (priority >= 0),
  -- Due without a time of day: `due_date` is that day (YYYY-MM-DD) and `due_at` its start where it was written.
  due_at INTEGER,
  due_date TEXT,
  created_at INTEGER NOT NULL,
  -- Null while the todo is open.
  done_at INTEGER,
  PRIMARY KEY (owner, id),
  CHECK (due_date IS NULL OR due_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX todos_open ON todos (owner, priority, due_at) WHERE done_at IS NULL;

CREATE TABLE todo_tags (
  owner TEXT NOT NULL,
  todo_id INTEGER NOT NULL,
  -- The tag as it is compared, made as `search_text` is.
  tag_key TEXT NOT NULL,
  tag TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (owner, todo_id, tag_key),
  FOREIGN KEY (owner, todo_id) REFERENCES todos (owner, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE schedule_events (
  owner TEXT NOT NULL,
  id INTEGER NOT NULL,
  title TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL CHECK (duration_minutes > 0),
  -- How it repeats: every so many minutes, or by an RFC 5545 rule without COUNT that is reckoned in `timezone`. Both null: it doesn't.
  interval_minutes INTEGER CHECK (interval_minutes > 0),
  rrule TEXT,
  timezone TEXT NOT NULL,
  -- How many times in all, -1 without end.
  times INTEGER NOT NULL,
  -- 0: the repetition of the event and of its reminders is switched off, and only the first time counts.
  repeats INTEGER NOT NULL CHECK (repeats IN (0, 1)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, id),
  CHECK (interval_minutes IS NULL OR rrule IS NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_events_by_start ON schedule_events (owner, start_at);

-- A reminder comes `lead_ms` before each time of its series. The series is that of its subject, or its own (`nags` 1).
CREATE TABLE reminders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  -- The session that asked for it, and that its event goes to.
  session_id TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject IN ('todo', 'schedule')),
  subject_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  nags INTEGER NOT NULL CHECK (nags IN (0, 1)),
  first_at INTEGER NOT NULL,
  interval_minutes INTEGER,
  rrule TEXT,
  timezone TEXT NOT NULL,
  times INTEGER NOT NULL,
  repeats INTEGER NOT NULL CHECK (repeats IN (0, 1)),
  lead_ms INTEGER NOT NULL,
  -- When it comes next; null when it is over.
  due_at INTEGER
) STRICT;
CREATE INDEX reminders_due ON reminders (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX reminders_of_subject ON reminders (owner, subject, subject_id);
