import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { unpack } from '../../src/store/sql/frames.ts';

/** The store's contents, read while no process has it open. */
export interface StoredState {
  /** The findings of `integrity_check` and `foreign_key_check`; empty: all is well. */
  faults: string[];
  /** Sessions whose entries are not numbered 1, 2, 3 …. */
  gaps: string[];
  turns: { key: string; turn_id: string; input: string; is_finished: 0 | 1 }[];
  /** Posts to the webhook, made or pending. */
  callbacks: { id: string; state: string }[];
  /** The number of todos with each text. */
  todos: Map<string, number>;
  /** Each reminder of a todo, with the number of its events. */
  reminders: { text: string; is_over: 0 | 1; events: number }[];
  /** Files that a reader of the workspace would find incomplete. */
  tornFiles: string[];
}

const GAPS = `SELECT s.session_id AS name FROM sessions s JOIN entries e ON e.session = s.id
  GROUP BY s.id HAVING min(e.seq) <> 1 OR max(e.seq) <> count(*) OR count(*) <> count(DISTINCT e.seq)`;
const TURNS = `SELECT idempotency_key AS key, turn_id, input, finished_at IS NOT NULL AS is_finished
  FROM turns WHERE idempotency_key IS NOT NULL`;
const REMINDERS = `SELECT text, due_at IS NULL AS is_over, (SELECT count(*) FROM entries
    WHERE task IS NULL AND unpacked(event) ->> 'type' = 'reminder.due' AND unpacked(event) ->> 'reminder_id' = reminders.id) AS events
  FROM reminders`;

const isTorn = (path: string): boolean => {
  try {
    JSON.parse(readFileSync(path, 'utf8'));
    return false;
  } catch {
    return true;
  }
};

const tornFilesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('plan.json'))
        .filter((path) => isTorn(join(folder, path)))
    : [];

const hasTables = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'turns'").get() !== undefined;

/**
 * Reads the store of an unused data folder from a copy, so that the next process itself recovers from the crash. Null
 * while no process has created the tables.
 */
export const readStoredState = (dataDir: string): StoredState | null => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-crash-copy-'));
  try {
    for (const name of ['tripact.db', 'tripact.db-wal'])
      if (existsSync(join(dataDir, name))) copyFileSync(join(dataDir, name), join(folder, name));
    const db = new Database(join(folder, 'tripact.db'));
    db.function('unpacked', (text) => unpack(text as string));
    try {
      if (!hasTables(db)) return null;
      const faults = [
        ...(db.pragma('integrity_check(5)') as { integrity_check: string }[]).map((row) => row.integrity_check),
        ...(db.pragma('foreign_key_check') as unknown[]).map((row) => JSON.stringify(row)),
      ].filter((fault) => fault !== 'ok');
      const todos = db.prepare<[], { text: string; count: number }>(
        'SELECT text, count(*) AS count FROM todos GROUP BY text',
      );
      return {
        faults,
        gaps: db
          .prepare<[], { name: string }>(GAPS)
          .all()
          .map(({ name }) => name),
        callbacks: db.prepare<[], StoredState['callbacks'][number]>('SELECT id, state FROM outbox').all(),
        turns: db.prepare<[], StoredState['turns'][number]>(TURNS).all(),
        reminders: db.prepare<[], StoredState['reminders'][number]>(REMINDERS).all(),
        todos: new Map(todos.all().map(({ text, count }) => [text, count])),
        tornFiles: tornFilesIn(join(dataDir, 'workspace')),
      };
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
