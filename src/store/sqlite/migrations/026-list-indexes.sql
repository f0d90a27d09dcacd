-- Lists that went through all that an owner or a session has, with their texts, in place of the rows that they show.

-- All of an owner's todos, by what a list sorts and chooses by, and by what a search looks through.
DROP INDEX todos_open;
CREATE INDEX todos_listed ON todos (owner, done_at, priority, due_at, due_date);
CREATE INDEX todos_searched ON todos (owner, id, done_at, priority, due_at, search_text);

-- A session's reminders that come due: they are taken some at a time.
CREATE INDEX reminders_of_session ON reminders (owner, session_id, due_at, id) WHERE due_at IS NOT NULL;

-- A session's tasks in the order of its trace, whose views may be long.
CREATE INDEX tasks_in_order ON tasks (session, first_seq);
