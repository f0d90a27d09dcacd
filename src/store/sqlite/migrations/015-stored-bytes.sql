-- What the turns and the trace of each session take, so that nobody has to sum them up: of the entries up to `counted_seq`, and of all turns.

ALTER TABLE sessions ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN counted_seq INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET
  stored_bytes =
    coalesce((SELECT sum(octet_length(event) + coalesce(octet_length(effects), 0)) FROM entries WHERE session = sessions.id), 0) +
    coalesce((SELECT sum(octet_length(input) + coalesce(octet_length(reply), 0)) FROM turns WHERE session = sessions.id), 0),
  counted_seq = coalesce((SELECT max(seq) FROM entries WHERE session = sessions.id), 0);
