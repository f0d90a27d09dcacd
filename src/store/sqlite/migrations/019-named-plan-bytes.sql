-- What the steps and notes of an owner's named plans take, so that nobody has to sum them up: their bytes, and 100 for the row of each.

CREATE TABLE named_plan_bytes (
  owner TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO named_plan_bytes (owner, bytes)
  SELECT p.owner, sum(100 + octet_length(s.step) + coalesce(octet_length(s.notes), 0))
  FROM named_plan_steps s JOIN named_plans p ON p.id = s.plan GROUP BY p.owner;

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

-- Steps are removed before their plan, which says whose they are.
CREATE TRIGGER named_plan_step_removed AFTER DELETE ON named_plan_steps BEGIN
  UPDATE named_plan_bytes SET bytes = bytes - 100 - octet_length(old.step) - coalesce(octet_length(old.notes), 0)
    WHERE owner = (SELECT owner FROM named_plans WHERE id = old.plan);
END;
