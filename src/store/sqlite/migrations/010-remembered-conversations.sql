-- Which session a front end's conversation belongs to, where the front end has no id for it: found by a hash of what was said so far.

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
CREATE INDEX remembered_conversations_by_age ON remembered_conversations (owner, at);
CREATE INDEX remembered_conversations_of_session ON remembered_conversations (owner, session_id);
