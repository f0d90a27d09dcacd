-- An owner's sessions, the most recently used first: without it a page of 100,000 sessions sorts all of them.

CREATE INDEX sessions_of_owner ON sessions (owner, updated_at);
