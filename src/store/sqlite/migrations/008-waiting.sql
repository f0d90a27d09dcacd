-- Finds what waits for its owner over all of the owner's sessions, longest first, without reading any other task.

ALTER TABLE tasks ADD COLUMN owner TEXT;
-- What a task in 'awaiting_user' asks.
ALTER TABLE tasks ADD COLUMN question TEXT;
-- Since when a task is in 'awaiting_user' or 'paused', epoch milliseconds; null in every other state.
ALTER TABLE tasks ADD COLUMN waiting_since INTEGER;

UPDATE tasks SET owner = (SELECT owner FROM sessions WHERE id = tasks.session);
UPDATE tasks SET
  waiting_since = coalesce(
    (SELECT at FROM entries WHERE session = tasks.session AND seq = tasks.touched_at_seq),
    (SELECT updated_at FROM sessions WHERE id = tasks.session)),
  question = CASE state WHEN 'awaiting_user' THEN
    (SELECT json_extract(body, '$.context.last_ask_user_question') FROM snapshots WHERE task = tasks.id AND json_valid(body)) END
WHERE state IN ('awaiting_user', 'paused');

CREATE INDEX tasks_waiting ON tasks (owner, waiting_since, id, state) WHERE waiting_since IS NOT NULL;
