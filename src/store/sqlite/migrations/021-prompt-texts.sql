-- What calls are told first is the same text for most of them: an owner's is kept once, and a call's body has the rest. It goes with the last call
-- that has it.

CREATE TABLE prompt_texts (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  -- SHA-256 of the text, as base64.
  hash TEXT NOT NULL,
  -- Compressed like a call's body.
  text BLOB NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX prompt_texts_by_hash ON prompt_texts (owner, hash);

-- Null where the body has it.
ALTER TABLE model_calls ADD COLUMN system INTEGER REFERENCES prompt_texts (id);
CREATE INDEX model_calls_of_system ON model_calls (system) WHERE system IS NOT NULL;

CREATE TRIGGER prompt_text_unused AFTER DELETE ON model_calls
WHEN old.system IS NOT NULL AND NOT EXISTS (SELECT 1 FROM model_calls WHERE system = old.system) BEGIN
  DELETE FROM prompt_texts WHERE id = old.system;
END;
CREATE TRIGGER prompt_text_removed AFTER DELETE ON prompt_texts BEGIN
  UPDATE model_call_bytes SET bytes = bytes - old.bytes WHERE owner = old.owner;
END;
