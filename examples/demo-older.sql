PRAGMA foreign_keys = OFF;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('clean_shutdown','0');
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
  PRIMARY KEY ( id),
  UNIQUE (owner, session_id)
) STRICT;
INSERT INTO sessions VALUES(1,'local','demo','UTC',1795945374335,NULL,1795945374341,1,0);
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
  -- How often an effect was begun, and its number; null: the open one.
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
  
  UNIQUE ( task_id),
  FOREIGN KEY ( session) REFERENCES sessions ( id) ON DELETE CASCADE
) STRICT;
INSERT INTO tasks VALUES(1,'task_0mx1ni7pbv639i3as7nt8ba0c2',1,'local','awaiting_user',NULL,1,7,1,NULL,1795945374475,'When is “meeting with Anna”?',NULL,'60mx1ni7pbv639i3as7nt8ba0c2Add milk to my todos and schedule a meeting with Anna","state":"awaiting_user","phase":"blocked","plan":[part-1Add milk to my todosAdded #1 milk"},part-2schedule a meeting with Anna","status":"in_progress","executor":"default","depends_on":[],"result":null}],"current_plan_index":152010,"awaiting_clarification":true,"needs_replan":false,"outcome":null,"pause_reason":null,"approval":null0000}}');
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  task INTEGER,
  at INTEGER NOT NULL,
  -- The machine's version: 3 of tripact-task@3.
  machine INTEGER NOT NULL,
  state TEXT,
  step_count INTEGER,
  event TEXT NOT NULL,
  effects TEXT,
  FOREIGN KEY ( session) REFERENCES sessions ( id) ON DELETE CASCADE
) STRICT;
INSERT INTO entries VALUES(1,1,1,1,1795945374341,3,'planning',0,'40mx1ni7pbv639i3as7nt8ba0c2demo0mx1ni7pbe663suie7ew3kawslAdd milk to my todos and schedule a meeting with Annaen202003261212502nulltodo","writes":true},{"name":"viewschedule","writes":true},{"name":"planning","writes":true},{"name":"remember","writes":true},{"name":"internet_searchfiles","writes":true}]','51');
INSERT INTO entries VALUES(2,1,2,1,1795945374430,3,'thinking',0,'3100{"id":"part-1","step":"Add milk to my todos"},{"id":"part-2","step":"schedule a meeting with Anna"}]}','52part-1');
INSERT INTO entries VALUES(3,1,3,1,1795945374437,3,'acting',1,'0200Add milk to my todostodoadd \"milk\"','53part-1');
INSERT INTO entries VALUES(4,1,4,1,1795945374443,3,'thinking',2,'13todoadd \"milk\"Added #1 milk"}','54part-1');
INSERT INTO entries VALUES(5,1,5,1,1795945374455,3,'replanning',3,'0400Add milk to my todosAdded #1 milk"}','55');
INSERT INTO entries VALUES(6,1,6,1,1795945374459,3,'thinking',4,'2500{"id":"part-2","step":"schedule a meeting with Anna","depends_on":[],"executor":"default","tools":null}','56part-2');
INSERT INTO entries VALUES(7,1,7,1,1795945374475,3,'awaiting_user',5,'0600schedule a meeting with AnnaWhen is “meeting with Anna”?","response":null}',NULL);
CREATE TABLE snapshots (
  
  task INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  machine INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY ( task),
  FOREIGN KEY ( task) REFERENCES tasks ( id) ON DELETE CASCADE
) STRICT;
INSERT INTO snapshots VALUES(1,7,3,'{"state":"awaiting_user","context":{"task_id":"task_0mx1ni7pbv639i3as7nt8ba0c2","session_id":"demo","goal":"Add milk to my todos and schedule a meeting with Anna","language":"en","limits":{"max_steps":20,"max_total_steps":200,"failure_limit":3,"plan_retries":2,"max_questions":6,"max_plan_items":12,"max_rounds_per_item":12,"max_replans":50,"verify_limit":2,"max_task_tokens":null},"catalogue":{"tools":[{"name":"todo","writes":true},{"name":"view","writes":false},{"name":"schedule","writes":true},{"name":"planning","writes":true},{"name":"remember","writes":true},{"name":"internet_search","writes":false},{"name":"files","writes":true}],"executors":[{"name":"default","tools":null}]},"confirm_plan":false,"replan":"always","failed_since_replan":false,"taken_as_no":false,"plan_confirmed":false,"planning":true,"verifies":false,"conversation":[],"memory":[],"tools":null,"metadata":{},"background":null,"answer_schema":null,"plan_initialized":true,"plan_items":[{"id":"part-2","step":"schedule a meeting with Anna","status":"in_progress","depends_on":[],"executor":"default","tools":null,"expected":null,"result":null,"rounds":0}],"past_items":[{"id":"part-1","step":"Add milk to my todos","status":"completed","depends_on":[],"executor":"default","tools":null,"expected":null,"result":"Added #1 milk","rounds":2}],"abandoned_items":[],"current_plan_index":0,"awaiting_clarification":true,"awaiting":"thought","expired":null,"expires_in":null,"approved_tools":[],"replaced_input":null,"needs_replan":false,"steered":false,"last_thought_snapshot":{"status":"ask_user","current_step":"schedule a meeting with Anna","next_action":null,"question":"When is “meeting with Anna”?","response":null},"observations":[{"item_id":"part-1","source":"tool","tool":"todo","input":"add \"milk\"","ok":true,"result":"Added #1 milk"}],"step_count":5,"step_limit":20,"successful_steps":1,"failed_steps":0,"consecutive_failures":0,"is_recovering":false,"recent_failures":[],"clarification_history":[],"last_ask_user_question":"When is “meeting with Anna”?","question_options":[],"pending_final_response":null,"pending_answer":null,"outcome":null,"pause_reason":null,"pause_detail":null,"usage":{"input_tokens":0,"output_tokens":0,"cache_written_tokens":0,"cache_read_tokens":0},"cost":null,"is_cost_known":true,"token_limit":null,"cost_limit":null,"plan_failures":0,"replan_failures":0,"replans":1,"deadlocks_in_a_row":0,"verify_failures":0,"questions_asked":1,"iteration_count":3,"rounds":1,"rounds_item_id":"part-2","item_rounds":1,"repeats":0,"wrote":true,"notes":[],"effects_requested":6,"open_effect":null,"items_numbered":0}}');
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
  
  UNIQUE ( turn_id),
  FOREIGN KEY ( session) REFERENCES sessions ( id) ON DELETE CASCADE
) STRICT;
INSERT INTO turns VALUES(1,'turn_0mx1ni7pbe663suie7ew3kawsl',1,'local','task','asking',1,'Add milk to my todos and schedule a meeting with Anna',NULL,NULL,NULL,NULL,'{"output":"Please confirm: When is “meeting with Anna”?","question":"When is “meeting with Anna”?","options":null,"task":{"id":"task_0mx1ni7pbv639i3as7nt8ba0c2","goal":"Add milk to my todos and schedule a meeting with Anna","state":"awaiting_user","phase":"blocked","plan":[{"id":"part-1","step":"Add milk to my todos","status":"completed","executor":"default","depends_on":[],"result":"Added #1 milk"},{"id":"part-2","step":"schedule a meeting with Anna","status":"in_progress","executor":"default","depends_on":[],"result":null}],"current_plan_index":1,"step_count":5,"step_limit":20,"token_limit":null,"successful_steps":1,"failed_steps":0,"awaiting_clarification":true,"needs_replan":false,"outcome":null,"pause_reason":null,"approval":null,"usage":{"input_tokens":0,"output_tokens":0,"cache_written_tokens":0,"cache_read_tokens":0}}}',1795945374341,1795945374475);
CREATE TABLE removed_sessions (owner TEXT NOT NULL, session_id TEXT NOT NULL, PRIMARY KEY (owner, session_id)) STRICT, WITHOUT ROWID;
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
  
  UNIQUE ( id),
  FOREIGN KEY ( session) REFERENCES sessions ( id) ON DELETE CASCADE
) STRICT;
CREATE TABLE prompt_texts (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  -- SHA-256 of the text, as base64.
  hash TEXT NOT NULL,
  -- Compressed like a call's body.
  text BLOB NOT NULL,
  
  UNIQUE (owner, hash)
) STRICT;
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
  
  FOREIGN KEY ( task) REFERENCES tasks ( id) ON DELETE CASCADE,
  FOREIGN KEY ( system) REFERENCES prompt_texts ( id)
) STRICT;
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
CREATE TABLE turn_days (
  owner TEXT NOT NULL,
  day INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;
INSERT INTO turn_days VALUES('local',20261129,1);
CREATE TABLE access_keys (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;
CREATE TABLE owner_quotas (
  owner TEXT PRIMARY KEY,
  turns_per_day INTEGER,
  tokens_per_day INTEGER,
  set_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE remembered_conversations (
  owner TEXT NOT NULL,
  -- A hash of what was said so far, never the text itself.
  key TEXT NOT NULL,
  session_id TEXT NOT NULL,
  -- The idempotency key of the turn that was submitted last under this key, so that a retry finds that turn; null where there is none.
  request_key TEXT,
  -- 0: kept as long as the session.
  at INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE owner_counters (
  owner TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('todo', 'schedule', 'fact', 'goal')),
  last_id INTEGER NOT NULL,
  PRIMARY KEY (owner, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO owner_counters VALUES('local','todo',1);
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
INSERT INTO todos VALUES('local',1,'milk','milk',0,NULL,NULL,1795945374442,NULL);
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
CREATE TABLE facts (
  owner TEXT NOT NULL,
  id INTEGER NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;
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
  
  UNIQUE (owner, session_id, plan_id),
  FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, session_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE TABLE named_plan_steps (
  
  plan INTEGER NOT NULL,
  position INTEGER NOT NULL,
  step TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('not_started', 'in_progress', 'completed', 'blocked')),
  notes TEXT,
  PRIMARY KEY ( plan, position),
  FOREIGN KEY ( plan) REFERENCES named_plans ( id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
CREATE INDEX sessions_of_owner ON sessions (owner, updated_at);
CREATE INDEX tasks_of_session ON tasks ( session, touched_at_seq);
CREATE INDEX tasks_in_order ON tasks ( session, first_seq);
CREATE INDEX tasks_by_state ON tasks (owner, state, session, outcome);
CREATE INDEX tasks_waiting ON tasks (owner, waiting_since, id, state) WHERE waiting_since IS NOT NULL;
CREATE INDEX tasks_running ON tasks (owner) WHERE state = 'running';
CREATE INDEX tasks_expiring ON tasks (expires_at) WHERE expires_at IS NOT NULL;
CREATE UNIQUE INDEX entries_session_seq_key ON entries ( session, seq);
CREATE UNIQUE INDEX turns_by_key ON turns (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_open ON turns (owner, session) WHERE finished_at IS NULL;
CREATE INDEX turns_of_session ON turns ( session);
CREATE INDEX outbox_due ON outbox (reader, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_state ON outbox (reader, state);
CREATE INDEX outbox_of_session ON outbox ( session);
CREATE INDEX model_calls_of_task ON model_calls ( task, effect);
CREATE INDEX model_calls_of_system ON model_calls ( system) WHERE system IS NOT NULL;
CREATE INDEX remembered_conversations_by_age ON remembered_conversations (owner, at);
CREATE INDEX remembered_conversations_of_session ON remembered_conversations (owner, session_id);
CREATE INDEX todos_listed ON todos (owner, done_at, priority, due_at, due_date);
CREATE INDEX todos_searched ON todos (owner, id, done_at, priority, due_at, search_text);
CREATE INDEX schedule_events_by_start ON schedule_events (owner, start_at);
CREATE INDEX reminders_due ON reminders (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX reminders_of_subject ON reminders (owner, subject, subject_id);
CREATE INDEX reminders_of_session ON reminders (owner, session_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX goals_due ON goals (due_at);
CREATE INDEX goals_of_session ON goals (owner, session_id, due_at);
CREATE UNIQUE INDEX named_plans_active ON named_plans (owner, session_id) WHERE is_active = 1;
CREATE INDEX model_calls_of_owner ON model_calls (owner);
PRAGMA application_id = 1414678864;
PRAGMA user_version = 32;
