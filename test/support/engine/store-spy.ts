import Database from 'better-sqlite3';
import pg from 'pg';
import { databaseOf } from '../postgres/database-of.ts';

/** Reads a store past its engine, whatever becomes of that. */
export interface StoreSpy {
  /** Entries with the outcome of an effect. */
  outcomesOf(effectId: string): Promise<number>;
  /** Rows of sessions, tasks, turns and entries. */
  rows(): Promise<number>;
  close(): Promise<void>;
}

/** The outcome of an effect is the entry that has its number. */
const OUTCOMES = (number: string, effectId: string): string =>
  `SELECT count(*) AS count FROM entries e JOIN tasks t ON t.id = e.task WHERE t.task_id || '.' || (${number} ->> 'effect') = ${effectId}`;

const ROWS = `SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM tasks) +
  (SELECT count(*) FROM turns) + (SELECT count(*) FROM entries) AS count`;

const spyOnPostgres = async (url: string): Promise<StoreSpy> => {
  const client = new pg.Client(url);
  await client.connect();
  const count = async (sql: string, values: string[]): Promise<number> =>
    Number((await client.query<{ count: string }>(sql, values)).rows[0]?.count);
  return {
    outcomesOf: (effectId) => count(OUTCOMES('e.event::json', '$1'), [effectId]),
    rows: () => count(ROWS, []),
    close: () => client.end(),
  };
};

/** Opens a spy on the store of a data folder. Where a database has no tables yet, its counts can't be asked for. */
export const spyOnStore = async (dataDir: string): Promise<StoreSpy> => {
  const url = await databaseOf(dataDir);
  if (url !== null) return spyOnPostgres(url);
  const db = new Database(`${dataDir}/tripact.db`);
  const outcomes = db.prepare<[string], number>(OUTCOMES('e.event', '?')).pluck();
  const rows = db.prepare<[], number>(ROWS).pluck();
  return {
    outcomesOf: async (effectId) => outcomes.get(effectId)!,
    rows: async () => rows.get()!,
    close: async () => void db.close(),
  };
};
