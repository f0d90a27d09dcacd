import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { StoreReads } from '../port.ts';
import { DATABASE_FILE } from './database.ts';
import { watchFiles } from './files-in-place.ts';
import { taskEntries } from './load-session.ts';
import { migrations } from './migrate.ts';
import type { EntryRow, SessionRow } from './rows.ts';
import { prepareReads, prepareTraceReads, type TraceReads } from './statements.ts';
import { startError, storageErrors } from './storage-errors.ts';
import { createStoreReads } from './store-reads.ts';
import { traceEntry } from './views.ts';

/** Entries read at a time: a page of memory, not a whole history. */
const PAGE = 500;

/** A task's or a whole session's trace, as it is stored. */
export interface ReadOnlyTrace {
  owner: string;
  /** Entries with a greater seq, in order. */
  entries(after: number): Generator<TraceEntry, void, undefined>;
}

/** A store that is looked at and never written, whether or not a service runs on it. */
export interface ReadOnlyStore {
  /** The task of that id; else the sessions of that name, of which each owner may have one. */
  traces(id: string): ReadOnlyTrace[];
  /** A number that changes when another process has committed something. */
  version(): number;
  close(): void;
}

/** Refuses a newer version's database; `isWhole`: also an older one's, of which only the traces can be read unmigrated. */
const refuseOtherVersions = (db: Database.Database, isWhole: boolean): void => {
  const stored = Number(db.pragma('user_version', { simple: true }));
  const known = migrations().at(-1)?.version ?? 0;
  if (stored > known)
    throw new ServiceError('STORE_TOO_NEW', `The database is of version ${stored}, this Tripact knows up to ${known}`);
  if (stored < known && isWhole)
    throw new ServiceError(
      'STORAGE_UNAVAILABLE',
      `The database is of version ${stored}; the next start of the service makes it one of version ${known}`,
    );
};

/** Opens the database of a data folder to read it. It takes no lock, migrates nothing and disturbs no service. */
const openDatabase = (dataDir: string, isWhole: boolean): Database.Database => {
  const file = join(dataDir, DATABASE_FILE);
  // A pipe in its place would be waited for.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new ServiceError('NOT_FOUND', `There is no Tripact database in ${dataDir}`);
  const db = new Database(file, { readonly: true });
  try {
    refuseOtherVersions(db, isWhole);
    return db;
  } catch (error) {
    db.close();
    throw startError(error, dataDir);
  }
};

function* sessionEntries(statements: TraceReads, { id }: SessionRow, after: number): Generator<EntryRow> {
  for (let from = after; ; ) {
    const page = statements.entriesAfter.all(id, from, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    from = last.seq;
  }
}

/**
 * Opens the database of a data folder read-only: takes no lock, migrates nothing, disturbs no service. Throws `NOT_FOUND` for
 * a folder without a database and `STORE_TOO_NEW` for a newer version's.
 */
export const openReadOnly = (dataDir: string): ReadOnlyStore => {
  const db = openDatabase(dataDir, false);
  try {
    const statements = prepareTraceReads(db);
    const sessionsNamed = db.prepare<[string], SessionRow>(
      `SELECT * FROM sessions WHERE session_id = ? ORDER BY owner`,
    );
    const traceOf = (session: SessionRow, rows: (after: number) => Generator<EntryRow>): ReadOnlyTrace => ({
      owner: session.owner,
      entries: function* (after) {
        for (const row of rows(after)) yield traceEntry(row, session.session_id);
      },
    });
    return {
      traces: (id) => {
        const task = statements.taskByName.get(id);
        const session = task === undefined ? undefined : statements.sessionById.get(task.session);
        if (task !== undefined && session !== undefined)
          return [traceOf(session, (after) => taskEntries(statements, task, after))];
        return sessionsNamed.all(id).map((row) => traceOf(row, (after) => sessionEntries(statements, row, after)));
      },
      version: () => Number(db.pragma('data_version', { simple: true })),
      close: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw startError(error, dataDir);
  }
};

/** The sessions of a stored database. */
export interface ReadOnlySessions {
  owners: string[];
  store: StoreReads;
  close(): void;
}

/** Opens a data folder's sessions in the same way; a database of an older version is refused too. */
export const openReadOnlySessions = (dataDir: string): ReadOnlySessions => {
  const db = openDatabase(dataDir, true);
  try {
    const owners = db.prepare<[], string>(`SELECT DISTINCT owner FROM sessions ORDER BY owner`).pluck();
    const errors = storageErrors(db, watchFiles([]));
    return {
      owners: owners.all(),
      store: createStoreReads(db, prepareReads(db), errors),
      close: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw startError(error, dataDir);
  }
};
