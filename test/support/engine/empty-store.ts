import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { SqlDatabase } from '../../../src/store/sql/database.ts';
import { createSqliteDatabase } from '../../../src/store/sqlite/database.ts';
import { prepareSchema } from '../../../src/store/sqlite/open.ts';

/** Room that a memory disk must have, in bytes: far more than the stores of simultaneous tests. */
const ROOM_BYTES = 512 * 1024 * 1024;

/**
 * A memory disk if there is one: `synchronous=FULL` then takes no time, and a crash of the process loses nothing there
 * either.
 */
const ROOT = ((): string => {
  try {
    accessSync('/dev/shm', constants.W_OK);
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > ROOM_BYTES ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
})();

/** Makes an empty data folder. */
export const makeDataDir = (): string => mkdtempSync(join(ROOT, 'tripact-test-'));

let file: Buffer | undefined;

/** The file of an empty store. Creating one takes a third of a start. */
const emptyStore = (): Buffer => {
  if (file === undefined) {
    const folder = makeDataDir();
    const path = join(folder, 'tripact.db');
    const db = new Database(path);
    db.pragma('journal_mode = WAL');
    prepareSchema(db, path);
    db.close();
    file = readFileSync(path);
    rmSync(folder, { recursive: true });
  }
  return file;
};

/** Makes a data folder with an empty store, as a start leaves one. */
export const makeStoreDir = (): string => {
  const dataDir = makeDataDir();
  writeFileSync(join(dataDir, 'tripact.db'), emptyStore(), { mode: 0o600 });
  return dataDir;
};

/** An empty store in memory, as bytes: creating one for each test takes longer than most tests. */
const IN_MEMORY = ((): Buffer => {
  const db = new Database(':memory:');
  prepareSchema(db, 'memory');
  const bytes = db.serialize();
  db.close();
  return bytes;
})();

/** An empty store in memory. */
export const databaseInMemory = (): Database.Database => {
  const db = new Database(IN_MEMORY);
  db.pragma('foreign_keys = ON');
  return db;
};

/** An empty store in memory, and the database that answers its questions. */
export const storeInMemory = (): { db: Database.Database; sql: SqlDatabase } => {
  const db = databaseInMemory();
  return { db, sql: createSqliteDatabase({ db, close: () => void db.close() }) };
};
