import Database from 'better-sqlite3';
import pg from 'pg';
import { unpack } from '../../../src/store/sql/frames.ts';
import { databaseOf } from '../postgres/database-of.ts';

/** Reads a store directly, bypassing its engine. */
export interface StoreSpy {
  /** The number of entries with the outcome of an effect. */
  outcomesOf(effectId: string): Promise<number>;
  /** The number of rows of sessions, tasks, turns and entries. */
  rows(): Promise<number>;
  close(): Promise<void>;
}

const EVENTS = 'SELECT t.task_id, e.event FROM entries e JOIN tasks t ON t.id = e.task';

interface EventRow {
  task_id: string;
  event: string;
}

/** The outcome of an effect, or of one of its simultaneous calls, is the entry with its number. */
const outcomes = (rows: EventRow[], effectId: string): number => {
  const [task, number] = effectId.split('.');
  return rows.filter(({ task_id, event }) => task_id === task && String(JSON.parse(unpack(event)).effect) === number)
    .length;
};

const ROWS = `SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM tasks) +
  (SELECT count(*) FROM turns) + (SELECT count(*) FROM entries) AS count`;

const spyOnPostgres = (url: string): StoreSpy => {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return {
    outcomesOf: async (effectId) => outcomes((await pool.query<EventRow>(EVENTS)).rows, effectId),
    rows: async () => Number((await pool.query<{ count: string }>(ROWS)).rows[0]?.count),
    close: () => pool.end(),
  };
};

/** Opens a spy on the store of a data folder. A database without tables cannot be counted yet. */
export const spyOnStore = async (dataDir: string): Promise<StoreSpy> => {
  const url = await databaseOf(dataDir);
  if (url !== null) return spyOnPostgres(url);
  const db = new Database(`${dataDir}/tripact.db`);
  const events = db.prepare<[], EventRow>(EVENTS);
  const rows = db.prepare<[], number>(ROWS).pluck();
  return {
    outcomesOf: async (effectId) => outcomes(events.all(), effectId),
    rows: async () => rows.get()!,
    close: async () => void db.close(),
  };
};
