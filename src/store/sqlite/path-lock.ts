import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../lib/make-folder.ts';

/** The folder of these locks, which only this user can write; null where there can be none. */
const lockFolder = (): string | null => {
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `tripact-${user}`);
  try {
    makeFolder(folder);
    const { uid, mode } = lstatSync(folder);
    const isOurs = lstatSync(folder).isDirectory() && (process.getuid === undefined || uid === user);
    return isOurs && (mode & 0o022) === 0 ? folder : null;
  } catch {
    return null;
  }
};

/**
 * Holds the path of a data folder by a lock that is not in it, so that a folder which is removed and made again is not taken by a second
 * process of this machine while the first still runs. Throws SQLite's `SQLITE_BUSY`; null where no lock can be made.
 */
export const lockPath = (dataDir: string, waitMs: number): { close(): void } | null => {
  const folder = lockFolder();
  if (folder === null) return null;
  const file = join(folder, `${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 32)}.lock`);
  let lock: Database.Database | undefined;
  try {
    const held = new Database(file, { timeout: waitMs });
    lock = held;
    held.pragma('journal_mode = DELETE');
    held.exec('BEGIN EXCLUSIVE');
    return {
      close: () => {
        rmSync(file, { force: true });
        held.close();
      },
    };
  } catch (error) {
    lock?.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') throw error;
    return null;
  }
};
