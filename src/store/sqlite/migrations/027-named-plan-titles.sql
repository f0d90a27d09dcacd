-- The title and the name of a plan count, too: plans of one short step took ten times what was counted.

INSERT INTO named_plan_bytes (owner, bytes)
  SELECT owner, sum(octet_length(plan_id) + octet_length(title)) FROM named_plans WHERE true GROUP BY owner
  ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;

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
