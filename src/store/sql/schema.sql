-- The schema in SQLite's dialect; `../postgres/open.ts` translates it for PostgreSQL. Text in braces is for a database whose keys begin
-- with the owner, so that Citus can distribute each table by owner; `meta` and `access_keys`, which find the owner of a request, are the same
-- on all its nodes. Times (`at`, `*_at`, `*_since`) are epoch milliseconds, `*_ms` milliseconds, `*_minutes` minutes, days numbers such as 20260105
-- (UTC). JSON and rules are text.

-- `clean_shutdown`: '1' after an orderly stop. `access_keys_were_added`: when the first key was stored, from which on keys are required.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

-- Sessions and their history. Deleting a session's row deletes its other rows by cascade.

CREATE TABLE sessions (
  id INTEGER NOT NULL,
  owner TEXT NOT NULL,
  session_id TEXT NOT NULL,
  timezone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- As its owner named it; null: its first input is its title.
  title TEXT,
  -- When its last turn came.
  updated_at INTEGER NOT NULL,
  turn_count INTEGER NOT NULL DEFAULT 0,
  is_fork INTEGER NOT NULL DEFAULT 0 CHECK (is_fork IN (0, 1)),
  -- The agent that works in it; null: none was chosen yet.
  agent TEXT,
  PRIMARY KEY ({owner,} id),
  UNIQUE (owner, session_id)
) STRICT;
CREATE INDEX sessions_of_owner ON sessions (owner, updated_at);

-- The tools that a session's tasks called.
CREATE TABLE session_tools (
  {owner TEXT NOT NULL,}
  session INTEGER NOT NULL,
  tool TEXT NOT NULL,
  PRIMARY KEY ({owner,} session, tool),
  FOREIGN KEY ({owner,} session) REFERENCES sessions ({owner,} id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The known cost of a session's model calls, as a decimal number in each currency.
CREATE TABLE session_costs (
  {owner TEXT NOT NULL,}
  session INTEGER NOT NULL,
  currency TEXT NOT NULL,
  cost TEXT NOT NULL,
  PRIMARY KEY ({owner,} session, currency),
  FOREIGN KEY ({owner,} session) REFERENCES sessions ({owner,} id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- `state` is written when a task opens ('running') and when it settles, not at every event.
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL,
  session INTEGER NOT NULL,
  owner TEXT NOT NULL,
  state TEXT NOT NULL,
  -- How a task in 'done' ended; null in every other state.
  outcome TEXT,
  first_seq INTEGER NOT NULL,
  -- When the task was last opened, resumed or settled: the session's most recent task has the greatest.
  touched_at_seq INTEGER NOT NULL,
  -- How often an effect was begun, and its number; null: the open one. 0 times with a number: it was left before it was begun.
  begins INTEGER NOT NULL DEFAULT 1,
  begun_effect INTEGER,
  -- Since when it is in 'awaiting_user' or 'paused'; null in every other state.
  waiting_since INTEGER,
  -- What a task in 'awaiting_user' asks.
  question TEXT,
  -- When that question expires; null: never.
  expires_at INTEGER,
  -- The task as the API shows it, once it is settled.
  view TEXT,
  {PRIMARY KEY (owner, id),}
  UNIQUE ({owner,} task_id),
  FOREIGN KEY ({owner,} session) REFERENCES sessions ({owner,} id) ON DELETE CASCADE
) STRICT;
CREATE INDEX tasks_of_session ON tasks ({owner,} session, touched_at_seq);
CREATE INDEX tasks_in_order ON tasks ({owner,} session, first_seq);
CREATE INDEX tasks_by_state ON tasks (owner, state, session, outcome);
CREATE INDEX tasks_waiting ON tasks (owner, waiting_since, id, state) WHERE waiting_since IS NOT NULL;
CREATE INDEX tasks_running ON tasks (owner) WHERE state = 'running';
CREATE INDEX tasks_expiring ON tasks (expires_at) WHERE expires_at IS NOT NULL;

-- Whom a task's action waits for, where its tool names approvers: by these rows they find it. They go when its question closes.
CREATE TABLE approvals (
  {owner TEXT NOT NULL,}
  task INTEGER NOT NULL,
  -- 'role:<name>' or 'owner:<name>'.
  approver TEXT NOT NULL,
  -- 0: never the task's owner.
  self INTEGER NOT NULL CHECK (self IN (0, 1)),
  PRIMARY KEY ({owner,} task, approver),
  FOREIGN KEY ({owner,} task) REFERENCES tasks ({owner,} id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX approvals_of_approver ON approvals (approver);

-- The trace: one row an event, in order of time. `task` is null for a session's own events, `effects` where the event asked for none.
-- `event` and `effects` are JSON as `frames.ts` writes it, and so are views and kept calls.
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  {owner TEXT NOT NULL,}
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  task INTEGER,
  at INTEGER NOT NULL,
  -- The machine's version: 4 of tripact-task@4.
  machine INTEGER NOT NULL,
  state TEXT,
  step_count INTEGER,
  event TEXT NOT NULL,
  effects TEXT,
  -- The SHA-256 by which it is chained to the one before it; null: it is from before there were chains.
  chain BLOB,
  FOREIGN KEY ({owner,} session) REFERENCES sessions ({owner,} id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX entries_session_seq_key ON entries ({owner,} session, seq);
-- A session's own events, which are few.
CREATE INDEX entries_of_no_task ON entries ({owner,} session, seq) WHERE task IS NULL;

CREATE TABLE snapshots (
  {owner TEXT NOT NULL,}
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  machine INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY ({owner,} task),
  FOREIGN KEY ({owner,} task) REFERENCES tasks ({owner,} id) ON DELETE CASCADE
) STRICT;

CREATE TABLE turns (
  id INTEGER PRIMARY KEY,
  turn_id TEXT NOT NULL,
  session INTEGER NOT NULL,
  owner TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('task', 'goal', 'command')),
  status TEXT NOT NULL,
  -- Its task's number.
  task INTEGER,
  input TEXT NOT NULL,
  -- What the turn asks for of its task and brings along for it, as JSON; null: nothing.
  options TEXT,
  callback_url TEXT,
  idempotency_key TEXT,
  body_hash TEXT,
  -- As JSON: ok, output, question, options, task. Where the task ended with it, `task` is null here: its own row has the view.
  reply TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  -- What its user thought of the reply; null: nothing was said. `feedback` is the rest of it, as JSON: note, by, at.
  rating TEXT CHECK (rating IN ('up', 'down')),
  feedback TEXT,
  {PRIMARY KEY (owner, id),}
  UNIQUE ({owner,} turn_id),
  FOREIGN KEY ({owner,} session) REFERENCES sessions ({owner,} id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX turns_by_key ON turns (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_open ON turns (owner, session) WHERE finished_at IS NULL;
CREATE INDEX turns_of_session ON turns ({owner,} session{, id});
CREATE INDEX turns_rated ON turns ({owner,} session{, id}) WHERE rating IS NOT NULL;

-- Sessions that were removed since the last end in order: their folders may still be there.
CREATE TABLE removed_sessions (owner TEXT NOT NULL, session_id TEXT NOT NULL, PRIMARY KEY (owner, session_id)) STRICT, WITHOUT ROWID;

-- Events for programs, posted until they are accepted and kept for a while afterwards.
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What receivers know it by: the same at every post.
  id TEXT NOT NULL,
  -- Whose list it is in: its owner's, or '' for the operators', where it goes to the webhook of the service.
  reader TEXT NOT NULL,
  owner TEXT NOT NULL,
  session INTEGER NOT NULL,
  event TEXT NOT NULL,
  -- Null: the webhook of the service, wherever that is when it is posted.
  url TEXT,
  -- What it says: the turn as it is stored, or data of its own.
  turn_id TEXT,
  data TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'given_up')),
  -- When it is posted next; null where it is not.
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  {PRIMARY KEY (owner, number),}
  UNIQUE ({owner,} id),
  FOREIGN KEY ({owner,} session) REFERENCES sessions ({owner,} id) ON DELETE CASCADE
) STRICT;
CREATE INDEX outbox_due ON outbox (reader, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_state ON outbox (reader, state{, number});
CREATE INDEX outbox_of_session ON outbox ({owner,} session);

-- What most calls of an owner are told first, kept once. It goes with the last call that has it.
CREATE TABLE prompt_texts (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  -- SHA-256 of the text, as base64.
  hash TEXT NOT NULL,
  -- Compressed like a call's body.
  text BLOB NOT NULL,
  {PRIMARY KEY (owner, id),}
  UNIQUE (owner, hash)
) STRICT;

-- What models were sent and answered, call by call: nothing is decided or replayed by it, and it goes after some days.
CREATE TABLE model_calls (
  -- In the order in which the calls ended; the oldest are removed first.
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL,
  owner TEXT NOT NULL,
  -- The number of its effect in the task.
  effect INTEGER NOT NULL,
  -- When the call was made.
  at INTEGER NOT NULL,
  contract TEXT NOT NULL,
  model TEXT NOT NULL,
  duration_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  fault TEXT,
  -- Tokens and cost, as JSON.
  usage TEXT,
  prompt_chars INTEGER NOT NULL,
  answer_chars INTEGER NOT NULL,
  structured_output INTEGER NOT NULL,
  -- Prompt and answer as JSON, compressed by zlib where that is worth it.
  body BLOB NOT NULL,
  -- The text that the prompt begins with; null where the body has it.
  system INTEGER,
  {PRIMARY KEY (owner, id),}
  FOREIGN KEY ({owner,} task) REFERENCES tasks ({owner,} id) ON DELETE CASCADE,
  FOREIGN KEY ({owner,} system) REFERENCES prompt_texts ({owner,} id)
) STRICT;
CREATE INDEX model_calls_of_task ON model_calls ({owner,} task, effect);
CREATE INDEX model_calls_of_system ON model_calls ({owner,} system) WHERE system IS NOT NULL;

-- What each owner used, by day and model: a day's sum reads a few rows and outlives its sessions. `cost` is a decimal number by the prices
-- at the time; a call without a price is in the row without a currency.
CREATE TABLE usage_days (
  owner TEXT NOT NULL,
  day INTEGER NOT NULL,
  model TEXT NOT NULL,
  currency TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_written_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cost TEXT NOT NULL,
  PRIMARY KEY (owner, day, model, currency)
) STRICT, WITHOUT ROWID;

-- Calls of tools, by day and tool. `model_calls` are those that asked for them, `cost` is theirs; the row without a currency has the
-- tool's own calls, and those model calls without a price.
CREATE TABLE tool_days (
  owner TEXT NOT NULL,
  day INTEGER NOT NULL,
  tool TEXT NOT NULL,
  currency TEXT NOT NULL,
  calls INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  model_calls INTEGER NOT NULL,
  cost TEXT NOT NULL,
  PRIMARY KEY (owner, day, tool, currency)
) STRICT, WITHOUT ROWID;

-- Turns that a task answers.
CREATE TABLE turn_days (
  owner TEXT NOT NULL,
  day INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;

-- What is left of acts when their session is removed, so that a day's root stays what it was (docs/audit.md).
CREATE TABLE audit_left (
  -- SHA-256 (hex) of the owner and the session's name.
  session_key TEXT NOT NULL,
  day INTEGER NOT NULL,
  -- The hashes of the acts in their order, a line each; that it was removed is a line of JSON.
  acts TEXT NOT NULL,
  PRIMARY KEY (session_key, day)
) STRICT, WITHOUT ROWID;

-- Which service, machine and tools acted from a time on, as JSON.
CREATE TABLE audit_versions (at INTEGER NOT NULL, versions TEXT NOT NULL, PRIMARY KEY (at)) STRICT, WITHOUT ROWID;

-- Who may call.

-- By the SHA-256 (hex) of the key: the key itself is stored nowhere. A revoked key's row is gone.
CREATE TABLE access_keys (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  -- What its holder may approve, as JSON; null: nothing by a role.
  roles TEXT{, PRIMARY KEY (number)}
) STRICT;

-- What an owner may use a day; null is any number. `set_at` says which of two statements is the newer one.
CREATE TABLE owner_quotas (
  owner TEXT PRIMARY KEY,
  turns_per_day INTEGER,
  tokens_per_day INTEGER,
  set_at INTEGER NOT NULL,
  cost_per_day TEXT
) STRICT, WITHOUT ROWID;

-- Owners' sign-ins at servers of tools. Only the operator's key opens what is sealed (TRIPACT_SECRET_KEY).
CREATE TABLE sign_ins (
  owner TEXT NOT NULL,
  server TEXT NOT NULL,
  -- Tokens; null: not signed in.
  sealed TEXT,
  signed_in_at INTEGER,
  -- A sign-in that has begun, to be finished once.
  pending_id TEXT,
  pending TEXT,
  PRIMARY KEY (owner, server)
) STRICT, WITHOUT ROWID;

-- Which session a front end's conversation belongs to, where the front end has no id for it.
CREATE TABLE remembered_conversations (
  owner TEXT NOT NULL,
  -- A hash of what was said so far, never the text itself.
  key TEXT NOT NULL,
  session_id TEXT NOT NULL,
  -- The idempotency key of the turn that was submitted last under this key, so that a retry finds that turn, or
  -- a text that is kept with the session; null where there is neither.
  request_key TEXT,
  -- 0: kept as long as the session.
  at INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_conversations_by_age ON remembered_conversations (owner, at);
CREATE INDEX remembered_conversations_of_session ON remembered_conversations (owner, session_id);

-- Todos, schedule events and their reminders belong to an owner: all of an owner's sessions share them.

-- Ids count from 1 an owner and kind, and are never used again.
CREATE TABLE owner_counters (
  owner TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('todo', 'schedule', 'fact', 'goal')),
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
-- By what a list sorts and chooses by, and by what a search looks through: the texts of all are not read for a page.
CREATE INDEX todos_listed ON todos (owner, done_at, priority, due_at, due_date);
CREATE INDEX todos_searched ON todos (owner, id, done_at, priority, due_at, search_text);

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

-- Short facts that an owner keeps over sessions.
CREATE TABLE facts (
  owner TEXT NOT NULL,
  id INTEGER NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;

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
  due_at INTEGER{, PRIMARY KEY (owner, id)}
) STRICT;
CREATE INDEX reminders_due ON reminders (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX reminders_of_subject ON reminders (owner, subject, subject_id);
CREATE INDEX reminders_of_session ON reminders (owner, session_id, due_at, id) WHERE due_at IS NOT NULL;

-- A goal opens a task in its session at each time of its series, as a turn. It goes with its last time.
CREATE TABLE goals (
  owner TEXT NOT NULL,
  id INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  goal TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  interval_minutes INTEGER,
  rrule TEXT,
  timezone TEXT NOT NULL,
  times INTEGER NOT NULL,
  callback_url TEXT,
  -- When it comes next.
  due_at INTEGER NOT NULL,
  -- The turn of its last time that was not skipped.
  last_turn_id TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, id),
  FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, session_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;
CREATE INDEX goals_due ON goals (due_at);
CREATE INDEX goals_of_session ON goals (owner, session_id, due_at);

-- Plans that a session keeps under names; they are no task's plan. One may be stored before its new session is, in the same transaction.
CREATE TABLE named_plans (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  session_id TEXT NOT NULL,
  plan_id TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The plan that is meant when none is named.
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  {PRIMARY KEY (owner, id),}
  UNIQUE (owner, session_id, plan_id),
  FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, session_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE UNIQUE INDEX named_plans_active ON named_plans (owner, session_id) WHERE is_active = 1;

CREATE TABLE named_plan_steps (
  {owner TEXT NOT NULL,}
  plan INTEGER NOT NULL,
  position INTEGER NOT NULL,
  step TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('not_started', 'in_progress', 'completed', 'blocked')),
  notes TEXT,
  PRIMARY KEY ({owner,} plan, position),
  FOREIGN KEY ({owner,} plan) REFERENCES named_plans ({owner,} id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
