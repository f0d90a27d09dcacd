import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SentFile } from './sent-file.ts';
import type { TurnRequest } from './tripact.ts';

/** Something that a user sent and that gets one reply. */
export interface Entry {
  /** By which the same message is known when it comes again: the platform's message id, or the button's question. */
  key: string;
  platform: string;
  /** Where the reply goes. */
  thread: string;
  session: string;
  request: TurnRequest & { files?: SentFile[] };
  /** Tripact's turn; null until it has taken the message. */
  turn: string | null;
  /** The message that shows the progress; null before there is one. */
  progress: string | null;
  /** How many pieces of the reply are posted. */
  posted: number;
}

/** A message whose buttons are still shown. */
export interface Shown {
  thread: string;
  message: string;
  turn: string;
  text: string;
}

/** The bot's memory over a restart. Everything else is Tripact's. */
export interface Inbox {
  /** Keeps an entry; false where one of its key was there before. */
  add(entry: Pick<Entry, 'key' | 'platform' | 'thread' | 'session' | 'request'>): boolean;
  update(key: string, change: Partial<Pick<Entry, 'turn' | 'progress' | 'posted'>>): void;
  /** The reply is out. */
  close(key: string): void;
  /** Entries without their whole reply, oldest first. */
  open(): Entry[];
  /** An entry as it is now; null once its reply is out. */
  entry(key: string): Entry | null;
  /** Where the reply of a turn went; null where that is not known any more. */
  threadOf(turn: string): string | null;
  /** The message of a session whose buttons are shown. */
  shown(session: string): Shown | null;
  setShown(session: string, shown: Shown | null): void;
  /** Threads that the bot listens to without being mentioned. */
  subscribe(thread: string): void;
  unsubscribe(thread: string): void;
  isSubscribed(thread: string): boolean;
  end(): void;
}

/** How long a message is known by its key, in days: no platform delivers one again later than after some hours, and a reply that could not be posted for so long is not waited for. */
const KEPT_DAYS = 7;

const DAY_MS = 24 * 60 * 60 * 1_000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, platform TEXT NOT NULL, thread TEXT NOT NULL, session TEXT NOT NULL, request TEXT NOT NULL,
    turn TEXT, progress TEXT, posted INTEGER NOT NULL DEFAULT 0, is_open INTEGER NOT NULL DEFAULT 1,
    at TEXT NOT NULL DEFAULT (datetime('now'))
  ) STRICT;
  CREATE INDEX IF NOT EXISTS open_entries ON entries (is_open) WHERE is_open = 1;
  CREATE TABLE IF NOT EXISTS shown (
    session TEXT PRIMARY KEY, thread TEXT NOT NULL, message TEXT NOT NULL, turn TEXT NOT NULL, text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS subscriptions (thread TEXT PRIMARY KEY) STRICT;
`;

const entryOf = (row: Record<string, unknown>): Entry => ({
  ...(row as unknown as Entry),
  request: JSON.parse(String(row['request'])) as Entry['request'],
});

/** Opens the bot's database in a folder of its own. */
export const openInbox = (folder: string): Inbox => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(folder, 'chat-bot.db'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; ${SCHEMA}`);
  const forget = (): void => db.exec(`DELETE FROM entries WHERE at < datetime('now', '-${KEPT_DAYS} days')`);
  forget();
  // A bot may run for months.
  const daily = setInterval(() => {
    try {
      forget();
    } catch {
      // A failure, as of a full disk, is tried again the next day.
    }
  }, DAY_MS).unref();

  const add = db.prepare(
    'INSERT OR IGNORE INTO entries (key, platform, thread, session, request) VALUES (?, ?, ?, ?, ?)',
  );
  const update = db.prepare(
    'UPDATE entries SET turn = coalesce(?, turn), progress = coalesce(?, progress), posted = coalesce(?, posted) WHERE key = ?',
  );
  const close = db.prepare('UPDATE entries SET is_open = 0 WHERE key = ?');
  const open = db.prepare('SELECT * FROM entries WHERE is_open = 1 ORDER BY rowid');
  const openEntry = db.prepare('SELECT * FROM entries WHERE key = ? AND is_open = 1');
  const threadOf = db.prepare('SELECT thread FROM entries WHERE turn = ?');
  const shown = db.prepare('SELECT thread, message, turn, text FROM shown WHERE session = ?');
  const show = db.prepare('INSERT OR REPLACE INTO shown (session, thread, message, turn, text) VALUES (?, ?, ?, ?, ?)');
  const hide = db.prepare('DELETE FROM shown WHERE session = ?');
  const subscribe = db.prepare('INSERT OR IGNORE INTO subscriptions VALUES (?)');
  const unsubscribe = db.prepare('DELETE FROM subscriptions WHERE thread = ?');
  const isSubscribed = db.prepare('SELECT 1 FROM subscriptions WHERE thread = ?');

  return {
    add: ({ key, platform, thread, session, request }) =>
      add.run(key, platform, thread, session, JSON.stringify(request)).changes === 1,
    update: (key, { turn = null, progress = null, posted = null }) => void update.run(turn, progress, posted, key),
    close: (key) => void close.run(key),
    entry: (key) => {
      const row = openEntry.get(key);
      return row === undefined ? null : entryOf(row);
    },
    open: () => open.all().map(entryOf),
    threadOf: (turn) => (threadOf.get(turn) as { thread: string } | undefined)?.thread ?? null,
    shown: (session) => (shown.get(session) as Shown | undefined) ?? null,
    setShown: (session, to) => {
      if (to === null) hide.run(session);
      else show.run(session, to.thread, to.message, to.turn, to.text);
    },
    subscribe: (thread) => void subscribe.run(thread),
    unsubscribe: (thread) => void unsubscribe.run(thread),
    isSubscribed: (thread) => isSubscribed.get(thread) !== undefined,
    end: () => {
      clearInterval(daily);
      db.close();
    },
  };
};
