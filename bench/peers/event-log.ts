import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

export type Db = Database.Database;

/** The database's file in a peer's folder. */
const FILE = 'store.db';

/** How a variant syncs: `full` fsyncs the WAL at every commit, `normal` only at checkpoints. */
export const syncOf = (variant: string): 'full' | 'normal' => (variant.startsWith('normal') ? 'normal' : 'full');

/** The faults that it survives, for the report. */
export const durabilityOf = (variant: string): string =>
  syncOf(variant) === 'full'
    ? 'SQLite WAL, synchronous=FULL: fsync at every commit (survives power loss)'
    : 'SQLite WAL, synchronous=NORMAL: no fsync at a commit (survives kill -9, not power loss)';

export const openDb = (dir: string, variant: string): Db => {
  const db = new Database(join(dir, FILE));
  db.pragma('journal_mode = WAL');
  db.pragma(`synchronous = ${syncOf(variant)}`);
  return db;
};

/** The database's size once the WAL is merged into it. */
export const dbBytes = (db: Db, dir: string): number => {
  db.pragma('wal_checkpoint(TRUNCATE)');
  return statSync(join(dir, FILE)).size;
};

export interface Row {
  seq: number;
  kind: string;
  body: string;
}

/** An append-only log of every session's events, and the latest snapshot of each. */
export interface EventLog {
  /** The number of a session, made on first use. */
  session(name: string): number;
  /** Durable when it returns or, with group commit, when its promise settles. */
  append(session: number, row: Row, snapshot?: string): Promise<void> | undefined;
  latest(session: number): { seq: number; body: string } | undefined;
  read(session: number, after?: number): Row[];
  bytes(): number;
  close(): void;
}

interface Rows {
  insert(session: number, row: Row): void;
  read(session: number, after: number): Row[];
}

/** Most events in a session, by which a session and a seq fit into one rowid. */
const SESSION_SPAN = 2 ** 20;

/** One B-tree, keyed by session and seq: cheapest if each event is its own transaction. */
const keyedRows = (db: Db): Rows => {
  db.exec('CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL)');
  const put = db.prepare('INSERT INTO events VALUES (?, ?, ?)');
  const get = db.prepare<[number, number, number], Row>(
    'SELECT id - ? AS seq, kind, body FROM events WHERE id > ? AND id < ? ORDER BY id',
  );
  return {
    insert: (session, { seq, kind, body }) => void put.run(session * SESSION_SPAN + seq, kind, body),
    read: (session, after) => {
      const base = session * SESSION_SPAN;
      return get.all(base, base + after, base + SESSION_SPAN);
    },
  };
};

/** Rows of all sessions in insertion order, with an index: cheapest if a transaction has many sessions' events. */
const arrivedRows = (db: Db): Rows => {
  db.exec(`CREATE TABLE IF NOT EXISTS log (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
    CREATE UNIQUE INDEX IF NOT EXISTS by_session ON log (session, seq)`);
  const put = db.prepare('INSERT INTO log (session, seq, kind, body) VALUES (?, ?, ?, ?)');
  const get = db.prepare<[number, number], Row>(
    'SELECT seq, kind, body FROM log WHERE session = ? AND seq > ? ORDER BY seq',
  );
  return {
    insert: (session, { seq, kind, body }) => void put.run(session, seq, kind, body),
    read: (session, after) => get.all(session, after),
  };
};

type Write = () => void;

/** Group commit: writes of many sessions in one turn of the event loop are one transaction. */
const groupCommit = (db: Db): ((write: Write) => Promise<void>) => {
  let waiting: { write: Write; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const run = db.transaction((group: typeof waiting) => {
    for (const { write } of group) write();
  });
  const flush = (): void => {
    const group = waiting;
    waiting = [];
    try {
      run(group);
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  return (write) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ write, resolve, reject });
    });
};

/** Opens the log. Variants that end in `-group` commit many sessions' events together. */
export const openEventLog = (dir: string, variant: string): EventLog => {
  const db = openDb(dir, variant);
  db.exec(`CREATE TABLE IF NOT EXISTS sessions (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS snapshots (session INTEGER PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL)`);
  const isGrouped = variant.endsWith('-group');
  const rows = isGrouped ? arrivedRows(db) : keyedRows(db);
  const commit = isGrouped ? groupCommit(db) : (write: Write): undefined => void write();
  const addSession = db.prepare('INSERT INTO sessions (name) VALUES (?)');
  const sessionId = db.prepare<[string], { id: number }>('SELECT id FROM sessions WHERE name = ?');
  const putSnapshot = db.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)');
  const latest = db.prepare<[number], { seq: number; body: string }>(
    'SELECT seq, body FROM snapshots WHERE session = ?',
  );
  const insertBoth = db.transaction((session: number, row: Row, snapshot: string) => {
    rows.insert(session, row);
    putSnapshot.run(session, row.seq, snapshot);
  });
  return {
    session: (name) => sessionId.get(name)?.id ?? Number(addSession.run(name).lastInsertRowid),
    append: (session, row, snapshot) =>
      commit(snapshot === undefined ? () => rows.insert(session, row) : () => insertBoth(session, row, snapshot)),
    latest: (session) => latest.get(session),
    read: (session, after = -1) => rows.read(session, after),
    bytes: () => dbBytes(db, dir),
    close: () => db.close(),
  };
};
