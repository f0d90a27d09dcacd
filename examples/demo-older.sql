PRAGMA foreign_keys = OFF;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  session_id TEXT NOT NULL,
  timezone TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, turn_count INTEGER NOT NULL DEFAULT 0, copied_bytes INTEGER NOT NULL DEFAULT 0, stored_bytes INTEGER NOT NULL DEFAULT 0, counted_seq INTEGER NOT NULL DEFAULT 0,
  UNIQUE (owner, session_id)
) STRICT;
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  task_id TEXT NOT NULL UNIQUE,
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  -- When the task was last opened, resumed or brought to rest: the session's most recent task has the greatest.
  touched_at_seq INTEGER NOT NULL,
  -- How often the open effect was found without an outcome, and which effect that was.
  attempts INTEGER NOT NULL DEFAULT 0,
  attempted_effect TEXT,
  -- The task as the API shows it, once it has ended.
  view TEXT
, owner TEXT, question TEXT, waiting_since INTEGER, outcome TEXT) STRICT;
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
, text_of INTEGER REFERENCES entries (id)) STRICT;
CREATE TABLE machines (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE snapshots (
  task INTEGER PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  machine INTEGER NOT NULL,
  body TEXT NOT NULL
, shared INTEGER REFERENCES snapshot_bodies (id)) STRICT;
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
  FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, session_id) ON DELETE CASCADE
) STRICT;
CREATE TABLE named_plan_steps (
  plan INTEGER NOT NULL REFERENCES named_plans (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  step TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('not_started', 'in_progress', 'completed', 'blocked')),
  notes TEXT,
  PRIMARY KEY (plan, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE "turns" (
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
, planning INTEGER, conversation INTEGER, reply_of INTEGER) STRICT;
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
CREATE TABLE remembered_conversations (
  owner TEXT NOT NULL,
  -- A hash, never the text itself.
  key TEXT NOT NULL,
  session_id TEXT NOT NULL,
  -- The idempotency key of the turn that was submitted last under this key, so that a retry finds that turn; null where there is none.
  request_key TEXT,
  -- Epoch milliseconds.
  at INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE model_calls (
  -- In the order in which the calls ended; the oldest are removed first.
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES tasks (id),
  owner TEXT NOT NULL,
  effect_id TEXT NOT NULL,
  -- When the call was made, epoch milliseconds.
  at INTEGER NOT NULL,
  -- Contract, model, outcome, tokens and lengths, as JSON.
  facts TEXT NOT NULL,
  -- Prompt and answer as JSON, compressed by zlib where that is worth it.
  body BLOB NOT NULL,
  bytes INTEGER NOT NULL
, system INTEGER REFERENCES prompt_texts (id)) STRICT;
CREATE TABLE model_call_bytes (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What receivers know it by: the same at every post.
  id TEXT NOT NULL UNIQUE,
  -- Whose list it is in: its owner's, or '' for the operators', where it goes to the webhook of the service.
  reader TEXT NOT NULL,
  owner TEXT NOT NULL,
  session INTEGER NOT NULL,
  event TEXT NOT NULL,
  -- Null: the webhook of the service, wherever that is when it is posted.
  url TEXT,
  -- What it says: the turn as it is stored, or data of its own. Neither: its session was removed, and it is not posted any more.
  turn_id TEXT,
  data TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'given_up')),
  -- When it is posted next; null where it is not.
  due_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE TABLE snapshot_bodies (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
CREATE TABLE named_plan_bytes (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE removed_sessions (id INTEGER PRIMARY KEY) STRICT;
CREATE TABLE prompt_texts (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  -- SHA-256 of the text, as base64.
  hash TEXT NOT NULL,
  -- Compressed like a call's body.
  text BLOB NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO meta VALUES ('clean_shutdown', '0');
INSERT INTO sessions VALUES (1, 'local', 'demo', 'UTC', 1795823980732, 1795823980746, 1, 0, 4127, 7);
INSERT INTO tasks VALUES (1, 'task_0mwzn8bsn88j2jtpidbqmczw9a', 1, 'awaiting_user', 1, 7, 0, NULL, '{"id":"task_0mwzn8bsn88j2jtpidbqmczw9a","goal":"Add milk to my todos and schedule a meeting with Anna","state":"awaiting_user","phase":"blocked","plan":[{"id":"part-1","step":"Add milk to my todos","status":"completed","executor":"default","depends_on":[],"result":"Added #1 milk"},{"id":"part-2","step":"schedule a meeting with Anna","status":"in_progress","executor":"default","depends_on":[],"result":null}],"current_plan_index":1,"step_count":5,"step_limit":20,"token_limit":null,"successful_steps":1,"failed_steps":0,"awaiting_clarification":true,"needs_replan":false,"outcome":null,"pause_reason":null,"approval":null,"usage":{"input_tokens":0,"output_tokens":0,"cache_written_tokens":0,"cache_read_tokens":0}}', 'local', 'When is “meeting with Anna”?', 1795823982360, NULL);
INSERT INTO entries VALUES (1, 1, 1, 1, 1795823980746, 1, 'planning', 0, '{"type":"task.opened","task_id":"task_0mwzn8bsn88j2jtpidbqmczw9a","session_id":"demo","turn_id":"turn_0mwzn8bsmbe9of8jttb630g93l","goal":"Add milk to my todos and schedule a meeting with Anna","language":"en","limits":{"max_steps":20,"max_total_steps":200,"failure_limit":3,"plan_retries":2,"max_questions":6,"max_plan_items":12,"max_rounds_per_item":12,"max_replans":50,"verify_limit":2,"max_task_tokens":null},"catalogue":{"tools":[{"name":"todo","writes":true},{"name":"view","writes":false},{"name":"schedule","writes":true},{"name":"planning","writes":true},{"name":"internet_search","writes":false},{"name":"files","writes":true}],"executors":[{"name":"default","tools":null}]},"confirm_plan":false,"planning":true,"verifies":false,"conversation":[]}', '[{"effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.1","type":"model.plan","params":{"attempt":1}}]', NULL);
INSERT INTO entries VALUES (2, 1, 2, 1, 1795823981901, 1, 'thinking', 0, '{"type":"plan.made","effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.1","reader":"strict","usage":{"input_tokens":0,"output_tokens":0},"status":"planned","plan":[{"id":"part-1","step":"Add milk to my todos"},{"id":"part-2","step":"schedule a meeting with Anna"}]}', '[{"effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.2","type":"model.thought","params":{"item_id":"part-1","may":["continue","ask_user","done"]}}]', NULL);
INSERT INTO entries VALUES (3, 1, 3, 1, 1795823982215, 1, 'acting', 1, '{"type":"thought.made","effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.2","reader":"strict","usage":{"input_tokens":0,"output_tokens":0},"status":"continue","current_step":"Add milk to my todos","next_action":{"tool":"todo","input":"add \"milk\""},"question":null,"response":null}', '[{"effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.3","type":"tool.call","params":{"tool":"todo","input":"add \"milk\"","item_id":"part-1","executor":"default"}}]', NULL);
INSERT INTO entries VALUES (4, 1, 4, 1, 1795823982237, 1, 'thinking', 2, '{"type":"observation.recorded","effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.3","tool":"todo","input":"add \"milk\"","ok":true,"result":"Added #1 milk"}', '[{"effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.4","type":"model.thought","params":{"item_id":"part-1","may":["continue","ask_user","done"]}}]', NULL);
INSERT INTO entries VALUES (5, 1, 5, 1, 1795823982286, 1, 'replanning', 3, '{"type":"thought.made","effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.4","reader":"strict","usage":{"input_tokens":0,"output_tokens":0},"status":"done","current_step":"Add milk to my todos","next_action":null,"question":null,"response":"Added #1 milk"}', '[{"effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.5","type":"model.replan","params":{"attempt":1}}]', NULL);
INSERT INTO entries VALUES (6, 1, 6, 1, 1795823982323, 1, 'thinking', 4, '{"type":"replan.made","effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.5","reader":"strict","usage":{"input_tokens":0,"output_tokens":0},"status":"replanned","plan":[{"id":"part-2","step":"schedule a meeting with Anna","depends_on":[],"executor":"default","tools":null}],"response":null}', '[{"effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.6","type":"model.thought","params":{"item_id":"part-2","may":["continue","ask_user","done"]}}]', NULL);
INSERT INTO entries VALUES (7, 1, 7, 1, 1795823982360, 1, 'awaiting_user', 5, '{"type":"thought.made","effect_id":"task_0mwzn8bsn88j2jtpidbqmczw9a.6","reader":"strict","usage":{"input_tokens":0,"output_tokens":0},"status":"ask_user","current_step":"schedule a meeting with Anna","next_action":null,"question":"When is “meeting with Anna”?","response":null}', NULL, NULL);
INSERT INTO machines VALUES (1, 'tripact-task@2');
INSERT INTO snapshots VALUES (1, 7, 1, '{"state":"awaiting_user","context":{"task_id":"task_0mwzn8bsn88j2jtpidbqmczw9a","session_id":"demo","goal":"Add milk to my todos and schedule a meeting with Anna","language":"en","limits":{"max_steps":20,"max_total_steps":200,"failure_limit":3,"plan_retries":2,"max_questions":6,"max_plan_items":12,"max_rounds_per_item":12,"max_replans":50,"verify_limit":2,"max_task_tokens":null},"catalogue":{"tools":[{"name":"todo","writes":true},{"name":"view","writes":false},{"name":"schedule","writes":true},{"name":"planning","writes":true},{"name":"internet_search","writes":false},{"name":"files","writes":true}],"executors":[{"name":"default","tools":null}]},"confirm_plan":false,"planning":true,"verifies":false,"conversation":[],"plan_initialized":true,"plan_items":[{"id":"part-2","step":"schedule a meeting with Anna","status":"in_progress","depends_on":[],"executor":"default","tools":null,"expected":null,"result":null,"rounds":0}],"past_items":[{"id":"part-1","step":"Add milk to my todos","status":"completed","depends_on":[],"executor":"default","tools":null,"expected":null,"result":"Added #1 milk","rounds":2}],"abandoned_items":[],"current_plan_index":0,"awaiting_clarification":true,"awaiting":"thought","approved_tools":[],"replaced_input":null,"needs_replan":false,"steered":false,"last_thought_snapshot":{"status":"ask_user","current_step":"schedule a meeting with Anna","next_action":null,"question":"When is “meeting with Anna”?","response":null},"observations":[{"item_id":"part-1","source":"tool","tool":"todo","input":"add \"milk\"","ok":true,"result":"Added #1 milk"}],"step_count":5,"step_limit":20,"successful_steps":1,"failed_steps":0,"consecutive_failures":0,"is_recovering":false,"recent_failures":[],"clarification_history":[],"last_ask_user_question":"When is “meeting with Anna”?","question_options":[],"pending_final_response":null,"outcome":null,"pause_reason":null,"pause_detail":null,"usage":{"input_tokens":0,"output_tokens":0,"cache_written_tokens":0,"cache_read_tokens":0},"cost":null,"is_cost_known":true,"token_limit":null,"plan_failures":0,"replan_failures":0,"replans":1,"deadlocks_in_a_row":0,"verify_failures":0,"questions_asked":1,"iteration_count":3,"rounds":1,"rounds_item_id":"part-2","item_rounds":1,"repeats":0,"wrote":true,"notes":[],"effects_requested":6,"open_effect_id":null,"items_numbered":0}}', NULL);
INSERT INTO owner_counters VALUES ('local', 'todo', 1);
INSERT INTO todos VALUES ('local', 1, 'milk', 'milk', 0, NULL, NULL, 1795823982235, NULL);
INSERT INTO turns VALUES (1, 'turn_0mwzn8bsmbe9of8jttb630g93l', 1, 'local', 'task', 'asking', 1, 'Add milk to my todos and schedule a meeting with Anna', NULL, NULL, NULL, NULL, '{"output":"Please confirm: When is “meeting with Anna”?","question":"When is “meeting with Anna”?","options":null,"task":{"id":"task_0mwzn8bsn88j2jtpidbqmczw9a","goal":"Add milk to my todos and schedule a meeting with Anna","state":"awaiting_user","phase":"blocked","plan":[{"id":"part-1","step":"Add milk to my todos","status":"completed","executor":"default","depends_on":[],"result":"Added #1 milk"},{"id":"part-2","step":"schedule a meeting with Anna","status":"in_progress","executor":"default","depends_on":[],"result":null}],"current_plan_index":1,"step_count":5,"step_limit":20,"token_limit":null,"successful_steps":1,"failed_steps":0,"awaiting_clarification":true,"needs_replan":false,"outcome":null,"pause_reason":null,"approval":null,"usage":{"input_tokens":0,"output_tokens":0,"cache_written_tokens":0,"cache_read_tokens":0}}}', 1795823980746, 1795823982360, NULL, 0, NULL, NULL, NULL, NULL);
INSERT INTO turn_days VALUES ('local', 20261127, 1);
INSERT INTO model_calls VALUES (1, 1, 'local', 'task_0mwzn8bsn88j2jtpidbqmczw9a.1', 1795823980849, '{"contract":"plan","model":"offline","duration_ms":1024,"outcome":"answered","fault":"none","usage":{"input_tokens":0,"output_tokens":0},"prompt_chars":0,"answer_chars":129,"structured_output":false}', x'7b2270726f6d7074223a6e756c6c2c22616e73776572223a227b5c227374617475735c223a5c22706c616e6e65645c222c5c22706c616e5c223a5b7b5c2269645c223a5c22706172742d315c222c5c22737465705c223a5c22416464206d696c6b20746f206d7920746f646f735c227d2c7b5c2269645c223a5c22706172742d325c222c5c22737465705c223a5c227363686564756c652061206d656574696e67207769746820416e6e615c227d5d7d222c226661696c757265223a6e756c6c7d', 425, NULL);
INSERT INTO model_call_bytes VALUES ('local', 425);
CREATE INDEX tasks_of_session ON tasks (session, touched_at_seq);
CREATE INDEX tasks_running ON tasks (id) WHERE state = 'running';
CREATE INDEX schedule_events_by_start ON schedule_events (owner, start_at);
CREATE INDEX reminders_due ON reminders (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX reminders_of_subject ON reminders (owner, subject, subject_id);
CREATE UNIQUE INDEX named_plans_active ON named_plans (owner, session_id) WHERE is_active = 1;
CREATE UNIQUE INDEX entries_by_seq ON entries (session, seq);
CREATE UNIQUE INDEX turns_by_key ON turns (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX turns_open ON turns (session, id) WHERE finished_at IS NULL;
CREATE INDEX turns_of_session ON turns (session);
CREATE INDEX remembered_conversations_by_age ON remembered_conversations (owner, at);
CREATE INDEX remembered_conversations_of_session ON remembered_conversations (owner, session_id);
CREATE INDEX model_calls_of_task ON model_calls (task, effect_id);
CREATE INDEX model_calls_of_owner ON model_calls (owner, id);
CREATE TRIGGER model_call_removed AFTER DELETE ON model_calls BEGIN
  UPDATE model_call_bytes SET bytes = bytes - old.bytes WHERE owner = old.owner;
END;
CREATE INDEX outbox_due ON outbox (reader, due_at, number) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_state ON outbox (reader, state, number);
CREATE INDEX outbox_of_session ON outbox (session);
CREATE INDEX entries_by_text ON entries (text_of, session) WHERE text_of IS NOT NULL;
CREATE VIEW trace_entries AS
  SELECT e.id, e.session, e.seq, e.task, e.at, e.machine, e.state, e.step_count,
    CASE WHEN e.text_of IS NULL THEN e.event ELSE (
      SELECT json_replace(h.event,
        '$.effect_id', t.task_id || substr(h.event ->> '$.effect_id', instr(h.event ->> '$.effect_id', '.')),
        '$.task_id', t.task_id,
        '$.session_id', (SELECT session_id FROM sessions WHERE id = e.session))
      FROM entries h, tasks t WHERE h.id = e.text_of AND t.id = e.task) END AS event,
    CASE WHEN e.text_of IS NULL THEN e.effects ELSE (
      SELECT json_replace(h.effects,
        '$[0].effect_id', t.task_id || substr(h.effects ->> '$[0].effect_id', instr(h.effects ->> '$[0].effect_id', '.')))
      FROM entries h, tasks t WHERE h.id = e.text_of AND t.id = e.task) END AS effects
  FROM entries e;
CREATE INDEX snapshots_by_body ON snapshots (shared) WHERE shared IS NOT NULL;
CREATE TRIGGER snapshot_removed AFTER DELETE ON snapshots WHEN old.shared IS NOT NULL BEGIN
  DELETE FROM snapshot_bodies WHERE id = old.shared AND NOT EXISTS (SELECT 1 FROM snapshots WHERE shared = old.shared);
END;
CREATE TRIGGER snapshot_replaced AFTER UPDATE OF shared ON snapshots WHEN old.shared IS NOT NULL AND new.shared IS NULL BEGIN
  DELETE FROM snapshot_bodies WHERE id = old.shared AND NOT EXISTS (SELECT 1 FROM snapshots WHERE shared = old.shared);
END;
CREATE TRIGGER named_plan_step_added AFTER INSERT ON named_plan_steps BEGIN
  INSERT INTO named_plan_bytes (owner, bytes)
    SELECT owner, 100 + octet_length(new.step) + coalesce(octet_length(new.notes), 0) FROM named_plans WHERE id = new.plan
    ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER named_plan_step_changed AFTER UPDATE OF step, notes ON named_plan_steps BEGIN
  UPDATE named_plan_bytes SET bytes = bytes
      + octet_length(new.step) + coalesce(octet_length(new.notes), 0)
      - octet_length(old.step) - coalesce(octet_length(old.notes), 0)
    WHERE owner = (SELECT owner FROM named_plans WHERE id = new.plan);
END;
CREATE TRIGGER named_plan_step_removed AFTER DELETE ON named_plan_steps BEGIN
  UPDATE named_plan_bytes SET bytes = bytes - 100 - octet_length(old.step) - coalesce(octet_length(old.notes), 0)
    WHERE owner = (SELECT owner FROM named_plans WHERE id = old.plan);
END;
CREATE UNIQUE INDEX prompt_texts_by_hash ON prompt_texts (owner, hash);
CREATE INDEX model_calls_of_system ON model_calls (system) WHERE system IS NOT NULL;
CREATE TRIGGER prompt_text_unused AFTER DELETE ON model_calls
WHEN old.system IS NOT NULL AND NOT EXISTS (SELECT 1 FROM model_calls WHERE system = old.system) BEGIN
  DELETE FROM prompt_texts WHERE id = old.system;
END;
CREATE TRIGGER prompt_text_removed AFTER DELETE ON prompt_texts BEGIN
  UPDATE model_call_bytes SET bytes = bytes - old.bytes WHERE owner = old.owner;
END;
CREATE INDEX tasks_waiting ON tasks (owner, waiting_since, id, state, session) WHERE waiting_since IS NOT NULL;
CREATE INDEX tasks_by_state ON tasks (owner, state, outcome, session);
CREATE INDEX sessions_of_owner ON sessions (owner, updated_at);
CREATE INDEX named_plan_steps_by_status ON named_plan_steps (plan, status);
CREATE INDEX todos_listed ON todos (owner, done_at, priority, due_at, due_date);
CREATE INDEX todos_searched ON todos (owner, id, done_at, priority, due_at, search_text);
CREATE INDEX reminders_of_session ON reminders (owner, session_id, due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_in_order ON tasks (session, first_seq);
CREATE TRIGGER named_plan_added AFTER INSERT ON named_plans BEGIN
  INSERT INTO named_plan_bytes (owner, bytes) VALUES (new.owner, octet_length(new.plan_id) + octet_length(new.title))
    ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER named_plan_titled AFTER UPDATE OF title ON named_plans BEGIN
  UPDATE named_plan_bytes SET bytes = bytes + octet_length(new.title) - octet_length(old.title) WHERE owner = new.owner;
END;
CREATE TRIGGER named_plan_removed AFTER DELETE ON named_plans BEGIN
  UPDATE named_plan_bytes SET bytes = bytes - octet_length(old.plan_id) - octet_length(old.title) WHERE owner = old.owner;
END;
PRAGMA user_version = 27;
