import Database from 'better-sqlite3';
import { migrate, migrations } from './migrate.ts';

/** A part of a database's schema. */
interface SchemaPart {
  type: string;
  name: string;
  sql: string | null;
}

/** Nothing of it is run by reading it. */
const partsOf = (db: Database.Database): SchemaPart[] =>
  db.prepare<[], SchemaPart>('SELECT type, name, sql FROM sqlite_schema').all();

/** What the migrations up to a version make. */
const partsMade = (version: number): SchemaPart[] => {
  const db = new Database(':memory:');
  try {
    migrate(
      db,
      migrations().filter((migration) => migration.version <= version),
    );
    return partsOf(db);
  } finally {
    db.close();
  }
};

/** Parts whose text is run by whoever reads or writes a table. */
const isRun = ({ type }: SchemaPart): boolean => type === 'view' || type === 'trigger';

const keyOf = ({ type, name }: SchemaPart): string => `${type} ${name}`;

/**
 * What keeps a database from being one of Tripact's of that version, as a few words; null where it is one. A table of ours that is missing, and a view or
 * a trigger that we did not write: it would run with every read or write, and could refuse, change or never end each of them. Tables and
 * indexes that other programs added do nothing by themselves, and may be there.
 */
export const foreignSchema = (db: Database.Database, version: number): string | null => {
  const made = partsMade(version);
  const found = partsOf(db);
  const foundKeys = new Set(found.map(keyOf));
  const missing = made.find((part) => part.type !== 'index' && !foundKeys.has(keyOf(part)));
  if (missing !== undefined) return `the ${missing.type} "${missing.name}" is missing`;
  const own = new Map(made.map((part) => [keyOf(part), part.sql]));
  const foreign = found.find((part) => isRun(part) && own.get(keyOf(part)) !== part.sql);
  return foreign === undefined
    ? null
    : `the ${foreign.type} ${JSON.stringify(foreign.name.slice(0, 80))} in it is not Tripact's`;
};
