import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { PruneOptions } from '../engine/port.ts';
import { backUp } from '../engine/sqlite/backup.ts';
import type { StoreFacts } from '../engine/sqlite/copy-store.ts';
import { DATABASE_FILE, type OpenStore, openStore } from '../engine/sqlite/database.ts';
import { pruneSessions } from '../engine/sqlite/prune.ts';
import { type Restored, restore } from '../engine/sqlite/restore.ts';
import type { RemovableSession } from '../engine/store.ts';
import { ServiceError } from '../errors.ts';
import { removeSessions } from './retention.ts';

/** Time to wait for a service that is just stopping, in milliseconds. */
const LOCK_WAIT_MS = 1_000;

/** What pruning came to; sizes of the database in bytes. */
export interface Pruned {
  sessions: number;
  bytesBefore: number;
  bytesAfter: number;
}

/** Backs a data folder's database up into a new file, also while a service runs on it. */
export const backUpStore = (dataDir: string, file: string): Promise<StoreFacts> => backUp(dataDir, resolve(file));

/** Puts a backup into a data folder that no service uses; `force` puts it in place of a database that is there. */
export const restoreStore = (dataDir: string, file: string, force: boolean): Promise<Restored> =>
  restore(dataDir, resolve(file), { force, now: Date.now() });

async function* flattened<Item>(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const batch of batches) yield* batch;
}

const openToRead = (file: string): OpenStore => {
  const db = new Database(file, { readonly: true });
  return { db, close: () => void db.close() };
};

/**
 * Removes old sessions of a data folder, tells each, and gives the room back to the disk. Throws `DATA_DIR_LOCKED` while a service
 * uses the folder, whose sessions may be in its memory; a dry run only reads, and works beside one.
 */
export const pruneStore = async (
  dataDir: string,
  { isDryRun, ...options }: PruneOptions & { isDryRun: boolean },
  onSession: (session: RemovableSession) => void,
): Promise<Pruned> => {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  const bytesBefore = statSync(file).size;
  const { db, close } = isDryRun ? openToRead(file) : openStore({ dataDir, lockWaitMs: LOCK_WAIT_MS });
  let sessions = 0;
  try {
    const removed = pruneSessions(db, options, isDryRun);
    const eachRemoved = isDryRun ? flattened(removed) : removeSessions(removed, dataDir);
    for await (const session of eachRemoved) {
      sessions += 1;
      onSession(session);
    }
    if (!isDryRun && sessions > 0) {
      db.exec('VACUUM');
      db.pragma('wal_checkpoint(TRUNCATE)');
    }
  } finally {
    close();
  }
  return { sessions, bytesBefore, bytesAfter: statSync(file).size };
};
