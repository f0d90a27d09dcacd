-- What a session counts towards its own and its owner's limits: its turns, and the bytes of history that it began with as a fork.

ALTER TABLE sessions ADD COLUMN turn_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN copied_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET turn_count = (SELECT count(*) FROM turns WHERE turns.session = sessions.id);
