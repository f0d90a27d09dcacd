import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { ServiceError } from '../../lib/errors.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** The numbered migrations in order; a file, once released, is never changed. */
export const migrations = (): { version: number; file: string }[] =>
  readdirSync(FOLDER)
    .filter((file) => /^\d{3}-.+\.sql$/.test(file))
    .sort()
    .map((file) => ({ version: Number(file.slice(0, 3)), file }));

/**
 * Brings a database to the newest version, in one transaction: a start that fails leaves it as it was, and a new database waits
 * for the disk once. Refuses one from a newer version. `known`: the migrations to bring it to, all by default.
 */
export const migrate = (db: Database, known = migrations()): void => {
  const newest = known.at(-1)?.version ?? 0;
  const current = Number(db.pragma('user_version', { simple: true }));
  if (current > newest)
    throw new ServiceError(
      'STORE_TOO_NEW',
      `The database is of version ${current}, this Tripact knows up to ${newest}; upgrade Tripact, or restore a backup`,
    );
  if (current === newest) return;
  db.transaction(() => {
    for (const { version, file } of known) if (version > current) db.exec(readFileSync(new URL(file, FOLDER), 'utf8'));
    db.pragma(`user_version = ${newest}`);
  })();
};
