-- Counts an owner's tasks by how they stand, from the index alone.

-- How a task in 'done' ended: 'completed' or 'failed'.
ALTER TABLE tasks ADD COLUMN outcome TEXT;
UPDATE tasks SET outcome = json_extract(view, '$.outcome') WHERE state = 'done' AND json_valid(view);
CREATE INDEX tasks_by_state ON tasks (owner, state, outcome);
