-- Finds all turns of a session that is removed, and of nothing else.

CREATE INDEX turns_of_session ON turns (session);
