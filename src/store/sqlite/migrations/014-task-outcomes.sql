-- Counts an owner's tasks by how they stand, from the index alone.

-- How a task in 'done' ended: 'failed', else 'completed' or, where it ended before, null, for to write every such row anew would take long.
ALTER TABLE tasks ADD COLUMN outcome TEXT;
UPDATE tasks SET outcome = 'failed' WHERE state = 'done' AND json_valid(view) AND json_extract(view, '$.outcome') = 'failed';
CREATE INDEX tasks_by_state ON tasks (owner, state, outcome);
