import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** The first version whose traces this machine reads: those before are of `tripact-task@2`. */
const OLDEST = 28;

/** The numbered migrations in order; a file, once released, is never changed. */
export const migrations = (): { version: number; file: string }[] =>
  readdirSync(FOLDER)
    .filter((file) => /^\d{3}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 3)), file }));

/**
 * Brings a database to the newest version, in one transaction: a start that fails leaves it as it was, and a new database waits
 * for the disk once. Refuses one from a newer version, and one whose history this machine does not read. `known`: the migrations to bring it to, all by default.
 */
export const migrate = (db: Database, known = migrations()): void => {
  const newest = known.at(-1)?.version ?? 0;
  const current = Number(db.pragma('user_version', { simple: true }));
  if (current > newest)
    throw new ServiceError(
      'STORE_TOO_NEW',
      `The database is of version ${current}, this Tripact knows up to ${newest}; upgrade Tripact, or restore a backup`,
    );
  if (current > 0 && current < OLDEST)
    throw new ServiceError(
      'CONFIG_INVALID',
      `The database is of version ${current}, with histories of tripact-task@2, which this Tripact does not read; nothing was changed. Start it with the build that wrote it, or name another folder in TRIPACT_DATA_DIR`,
    );
  if (current === newest) return;
  db.transaction(() => {
    for (const { version, file } of known) if (version > current) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
    db.pragma(`user_version = ${newest}`);
  })();
};
