-- Events for programs that are posted until they are accepted: in the same commit as what they are about, and kept for a while afterwards.

-- Times are epoch milliseconds.
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
CREATE INDEX outbox_due ON outbox (reader, due_at, number) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_state ON outbox (reader, state, number);
CREATE INDEX outbox_of_session ON outbox (session);

INSERT INTO outbox (id, reader, owner, session, event, url, turn_id, state, due_at, attempts, created_at)
  SELECT turn_id, owner, owner, session, 'turn.finished', callback_url, turn_id, 'pending', callback_due_at, callback_attempts, finished_at
  FROM turns WHERE callback_due_at IS NOT NULL AND callback_url IS NOT NULL AND finished_at IS NOT NULL ORDER BY callback_due_at, id;

-- The columns of before stay and are not used: SQLite would write every turn anew to drop them, for minutes where there are millions.
DROP INDEX turns_with_callback;
