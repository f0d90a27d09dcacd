-- Who may call, by the SHA-256 (hex) of what callers show: the key itself is stored nowhere. A revoked key's row is gone.

-- Times are epoch milliseconds; `number` orders them and pages through them.
CREATE TABLE access_keys (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  role TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER
) STRICT;

-- What an owner may use a day (UTC); null is any number. `set_at` says which of two statements is the newer one.
CREATE TABLE owner_quotas (
  owner TEXT PRIMARY KEY,
  turns_per_day INTEGER,
  tokens_per_day INTEGER,
  set_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
