-- Forks that begin alike have snapshots alike, but for the ids: the row has the beginning of the body, with the ids, and shares the rest.

CREATE TABLE snapshot_bodies (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
ALTER TABLE snapshots ADD COLUMN shared INTEGER REFERENCES snapshot_bodies (id);
CREATE INDEX snapshots_by_body ON snapshots (shared) WHERE shared IS NOT NULL;

-- A body goes with the last snapshot that has it.
CREATE TRIGGER snapshot_removed AFTER DELETE ON snapshots WHEN old.shared IS NOT NULL BEGIN
  DELETE FROM snapshot_bodies WHERE id = old.shared AND NOT EXISTS (SELECT 1 FROM snapshots WHERE shared = old.shared);
END;
CREATE TRIGGER snapshot_replaced AFTER UPDATE OF shared ON snapshots WHEN old.shared IS NOT NULL AND new.shared IS NULL BEGIN
  DELETE FROM snapshot_bodies WHERE id = old.shared AND NOT EXISTS (SELECT 1 FROM snapshots WHERE shared = old.shared);
END;
