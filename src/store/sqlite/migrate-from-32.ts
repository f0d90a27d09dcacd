import { copyFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { syncPath } from './sync-path.ts';

/**
 * Migrates the database of version 32 at `path` to `version`, and keeps the old one as `{path}.32`. The tables are the
 * same; each history is folded and compared by the new machine when its task is loaded. For the holder of the folder.
 * Can be repeated after a crash.
 */
export const migrateFrom32 = (path: string, version: number): void => {
  const kept = `${path}.32`;
  const db = new Database(path);
  try {
    // Moves its log into the file, which is then complete by itself.
    db.pragma('journal_mode = DELETE');
    copyFileSync(path, kept);
    syncPath(kept);
    syncPath(dirname(path));
    db.pragma('synchronous = FULL');
    db.pragma(`user_version = ${version}`);
  } finally {
    db.close();
  }
};
