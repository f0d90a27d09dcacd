-- What each owner used, by day (UTC, such as 20260105) and model, so that a day's sum reads a few rows and outlives its sessions.

-- Cost is a decimal number as text, by the prices at the time; a call without a price is in the row without a currency.
CREATE TABLE usage_days (
  owner TEXT NOT NULL,
  day INTEGER NOT NULL,
  model TEXT NOT NULL,
  currency TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_written_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cost TEXT NOT NULL,
  PRIMARY KEY (owner, day, model, currency)
) STRICT, WITHOUT ROWID;

-- Turns that a task answers.
CREATE TABLE turn_days (
  owner TEXT NOT NULL,
  day INTEGER NOT NULL,
  turns INTEGER NOT NULL,
  PRIMARY KEY (owner, day)
) STRICT, WITHOUT ROWID;
