import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Characters of the floor's row: the size of one event with its effects. */
const ROW = 'x'.repeat(600);

/** The least cost of durable storage here: better-sqlite3, WAL, FULL, one 600-byte row for each effect. */
export interface Floor {
  /** Microseconds a row, one transaction for each. */
  one(rows: number): number;
  /**
   * Microseconds a row with group commit: 64 loops, each of which continues when its row is durable. Rows of one turn
   * of the event loop share a transaction, and an index finds each session's rows.
   */
  group(rows: number): Promise<number>;
  /** Microseconds a row, 64 rows in one transaction: no index, and no notifications. */
  bare(rows: number): number;
  close(): void;
}

/** Opens the floor's own store in `dir`. */
export const openFloor = (dir: string): Floor => {
  mkdirSync(dir, { recursive: true });
  const db = new Database(join(dir, 'floor.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, session INTEGER, seq INTEGER, body TEXT)');
  const put = db.prepare('INSERT INTO log (session, seq, body) VALUES (?, ?, ?)');
  db.exec('CREATE TABLE IF NOT EXISTS grouped (id INTEGER PRIMARY KEY, session INTEGER, seq INTEGER, body TEXT)');
  db.exec('CREATE UNIQUE INDEX IF NOT EXISTS grouped_by_session ON grouped (session, seq)');
  const putGrouped = db.prepare('INSERT INTO grouped (session, seq, body) VALUES (?, ?, ?)');
  const putAll = db.transaction((rows: (() => void)[]) => {
    for (const row of rows) row();
  });
  let waiting: { row: () => void; resolve: () => void }[] = [];
  const flush = (): void => {
    const together = waiting;
    waiting = [];
    putAll(together.map(({ row }) => row));
    for (const { resolve } of together) resolve();
  };
  const durable = (session: number, seq: number): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ row: () => putGrouped.run(session, seq, ROW), resolve });
    });
  let last = 0;
  const putGroup = db.transaction((seq: number) => {
    for (let session = 0; session < 64; session++) put.run(session, seq, ROW);
  });
  const timed = (rows: number, write: () => void): number => {
    const start = performance.now();
    write();
    return ((performance.now() - start) * 1_000) / rows;
  };
  return {
    one: (rows) =>
      timed(rows, () => {
        for (let seq = 0; seq < rows; seq++) put.run(1, seq, ROW);
      }),
    group: async (rows) => {
      const start = performance.now();
      const [from, to] = [last, last + rows / 64];
      last = to;
      const loop = async (session: number): Promise<void> => {
        for (let seq = from; seq < to; seq++) await durable(session, seq);
      };
      await Promise.all(Array.from({ length: 64 }, (_, session) => loop(session)));
      return ((performance.now() - start) * 1_000) / rows;
    },
    bare: (rows) =>
      timed(rows, () => {
        for (let seq = 0; seq < rows / 64; seq++) putGroup(seq);
      }),
    close: () => db.close(),
  };
};
