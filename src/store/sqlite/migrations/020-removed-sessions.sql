-- Sessions that were removed and whose entries are not all gone yet: they go in slices, and those that forks read become the forks' own.

CREATE TABLE removed_sessions (id INTEGER PRIMARY KEY) STRICT;
