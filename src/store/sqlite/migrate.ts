import { copyFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { noteSpent } from '../sql/session-spent.ts';
import { createStatementRunner } from './run-statements.ts';
import { syncPath } from './sync-path.ts';

export const NEWEST_VERSION = 39;

/** The oldest version that is migrated. Its tables equal those of 33; the new machine compares each history when its task is loaded. */
export const OLDEST_VERSION = 32;

/** Additions of version 34 to the tables of 33. */
const FROM_33 = `
  ALTER TABLE entries ADD COLUMN chain TEXT;
  CREATE INDEX entries_of_no_task ON entries (session, seq) WHERE task IS NULL;
  CREATE TABLE audit_left (
    session_key TEXT NOT NULL,
    day INTEGER NOT NULL,
    acts TEXT NOT NULL,
    PRIMARY KEY (session_key, day)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE owner_quotas ADD COLUMN cost_per_day TEXT;
  CREATE TABLE audit_versions (at INTEGER NOT NULL, versions TEXT NOT NULL, PRIMARY KEY (at)) STRICT, WITHOUT ROWID;
  CREATE TABLE approvals (
    task INTEGER NOT NULL,
    approver TEXT NOT NULL,
    self INTEGER NOT NULL CHECK (self IN (0, 1)),
    PRIMARY KEY (task, approver),
    FOREIGN KEY (task) REFERENCES tasks (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX approvals_of_approver ON approvals (approver);
  ALTER TABLE access_keys ADD COLUMN roles TEXT;`;

/** Additions of version 35. */
const FROM_34 = 'ALTER TABLE sessions ADD COLUMN agent TEXT;';

/** The change of version 36: chains are stored as bytes. */
const FROM_35 = `
  ALTER TABLE entries RENAME COLUMN chain TO hex;
  ALTER TABLE entries ADD COLUMN chain BLOB;
  UPDATE entries SET chain = unhex(hex), hex = NULL WHERE hex IS NOT NULL;
  ALTER TABLE entries DROP COLUMN hex;`;

/** Additions of version 37. */
const FROM_36 = `
  CREATE TABLE sign_ins (
    owner TEXT NOT NULL,
    server TEXT NOT NULL,
    sealed TEXT,
    signed_in_at INTEGER,
    pending_id TEXT,
    pending TEXT,
    PRIMARY KEY (owner, server)
  ) STRICT, WITHOUT ROWID;`;

/** Additions of version 38. */
const FROM_37 = `
  ALTER TABLE turns ADD COLUMN rating TEXT CHECK (rating IN ('up', 'down'));
  ALTER TABLE turns ADD COLUMN feedback TEXT;
  CREATE INDEX turns_rated ON turns (session) WHERE rating IS NOT NULL;`;

/** Additions of version 39. What stored sessions called and cost is noted afterwards. */
const FROM_38 = `
  CREATE TABLE session_tools (
    session INTEGER NOT NULL,
    tool TEXT NOT NULL,
    PRIMARY KEY (session, tool),
    FOREIGN KEY (session) REFERENCES sessions (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE session_costs (
    session INTEGER NOT NULL,
    currency TEXT NOT NULL,
    cost TEXT NOT NULL,
    PRIMARY KEY (session, currency),
    FOREIGN KEY (session) REFERENCES sessions (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tool_days (
    owner TEXT NOT NULL,
    day INTEGER NOT NULL,
    tool TEXT NOT NULL,
    currency TEXT NOT NULL,
    calls INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    model_calls INTEGER NOT NULL,
    cost TEXT NOT NULL,
    PRIMARY KEY (owner, day, tool, currency)
  ) STRICT, WITHOUT ROWID;`;

/**
 * Migrates the database of an older version at `path`, and keeps the old one as `{path}.{version}`. For the holder of
 * the folder. Can be repeated after a crash.
 */
export const migrate = (path: string, version: number): void => {
  const kept = `${path}.${version}`;
  const db = new Database(path);
  try {
    // Moves its log into the file, which is then complete by itself.
    db.pragma('journal_mode = DELETE');
    copyFileSync(path, kept);
    syncPath(kept);
    syncPath(dirname(path));
    db.pragma('synchronous = FULL');
    db.transaction(() => {
      if (version < 34) db.exec(FROM_33);
      if (version < 35) db.exec(FROM_34);
      if (version < 36) db.exec(FROM_35);
      if (version < 37) db.exec(FROM_36);
      if (version < 38) db.exec(FROM_37);
      db.exec(FROM_38);
      createStatementRunner(db)(noteSpent(null));
      db.pragma(`user_version = ${NEWEST_VERSION}`);
    })();
  } finally {
    db.close();
  }
};
