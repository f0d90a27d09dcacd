-- What models were sent and answered, call by call, beside the trace: nothing is decided or replayed by it, and it goes after some days.

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
) STRICT;
CREATE INDEX model_calls_of_task ON model_calls (task, effect_id);
CREATE INDEX model_calls_of_owner ON model_calls (owner, id);

-- What each owner's calls take, so that nobody has to sum them up.
CREATE TABLE model_call_bytes (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER model_call_added AFTER INSERT ON model_calls BEGIN
  INSERT INTO model_call_bytes VALUES (new.owner, new.bytes) ON CONFLICT DO UPDATE SET bytes = bytes + new.bytes;
END;
CREATE TRIGGER model_call_removed AFTER DELETE ON model_calls BEGIN
  UPDATE model_call_bytes SET bytes = bytes - old.bytes WHERE owner = old.owner;
END;
