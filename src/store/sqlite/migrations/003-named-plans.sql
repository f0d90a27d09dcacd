-- Plans that a session keeps under names (SPEC 10, planning flow). They are no task's plan. *_at are epoch milliseconds.

CREATE TABLE named_plans (
  id INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  session_id TEXT NOT NULL,
  plan_id TEXT NOT NULL,
  title TEXT NOT NULL,
  -- The plan that is meant when none is named.
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (owner, session_id, plan_id),
  FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, session_id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX named_plans_active ON named_plans (owner, session_id) WHERE is_active = 1;

CREATE TABLE named_plan_steps (
  plan INTEGER NOT NULL REFERENCES named_plans (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  step TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('not_started', 'in_progress', 'completed', 'blocked')),
  notes TEXT,
  PRIMARY KEY (plan, position)
) STRICT, WITHOUT ROWID;
