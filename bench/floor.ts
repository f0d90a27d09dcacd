import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Characters of the floor's row: what one event with its effects takes. */
const ROW = 'x'.repeat(600);

/** The least that durable storage costs here: better-sqlite3, WAL, FULL, one 600-byte row for each effect. */
export interface Floor {
  /** Microseconds a row, one transaction for each. */
  one(rows: number): number;
  /** Microseconds a row, 64 rows of 64 sessions in one transaction. */
  group(rows: number): number;
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
    group: (rows) =>
      timed(rows, () => {
        for (let seq = 0; seq < rows / 64; seq++) putGroup(seq);
      }),
    close: () => db.close(),
  };
};
