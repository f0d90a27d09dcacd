-- A removed session's rows go in slices, and its row in `sessions` last, under a name that no session can have. Lists and counts over all of an owner's
-- tasks leave out those of removed sessions, from the index alone.

DROP INDEX tasks_waiting;
CREATE INDEX tasks_waiting ON tasks (owner, waiting_since, id, state, session) WHERE waiting_since IS NOT NULL;
DROP INDEX tasks_by_state;
CREATE INDEX tasks_by_state ON tasks (owner, state, outcome, session);
