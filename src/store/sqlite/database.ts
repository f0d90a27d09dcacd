import type { Database } from 'better-sqlite3';
import type { Logger } from 'pino';
import { ServiceError } from '../../lib/errors.ts';
import { execute } from '../../lib/queries.ts';
import { KeyTaken, StaleImage } from '../port.ts';
import type { SqlDatabase, Write } from '../sql/database.ts';
import { SET_META } from '../sql/recover.ts';
import { DiskHealth } from './disk-health.ts';
import { GroupCommits } from './group-commits.ts';
import type { OpenDatabase } from './open.ts';
import { createStatementRunner } from './run-statements.ts';
import { createSigningKey } from './signing-key.ts';
import { isTaken } from './storage-errors.ts';
import { watchFiles } from './watch-files.ts';

/** The bytes that are in use, and the most that may be. */
const sizeOf = (db: Database): { used: number; max: number } => {
  const [page, count, free, max] = ['page_size', 'page_count', 'freelist_count', 'max_page_count'].map((name) =>
    Number(db.pragma(name, { simple: true })),
  ) as [number, number, number, number];
  return { used: (count - free) * page, max: max * page };
};

/** Creates the marks that are known to be stored; true as well where they cannot be read. */
const createMarks = (db: Database): Pick<SqlDatabase, 'isMarked' | 'marked'> => {
  const stored = db.prepare<[string]>('SELECT 1 FROM meta WHERE key = ?');
  const known = new Set<string>();
  return {
    isMarked: (key) => {
      try {
        if (!known.has(key) && stored.get(key) !== undefined) known.add(key);
        return known.has(key);
      } catch {
        return true;
      }
    },
    marked: (key) => void known.add(key),
  };
};

/** Makes an SQLite database run the store's statements. After a permanent fault nothing can be written. */
export const createSqliteDatabase = ({ db, close }: OpenDatabase, log?: Logger): SqlDatabase => {
  const run = createStatementRunner(db, () => commits.noteWrite());
  const assertInPlace = watchFiles(db.name);
  const writeTrial = (value: string): void => run(execute(SET_META, { key: 'written_at', value }));
  const health = new DiskHealth({ db, assertInPlace, writeTrial, log });
  const commits = new GroupCommits({ db, run, health, assertInPlace });
  let lastSessionId = (db.prepare('SELECT max(id) FROM sessions').pluck().get() as number | null) ?? 0;
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new ServiceError('SHUTTING_DOWN', 'The service has stopped; ask again after its restart');
  };

  const write = async <Result>(_owner: string | null, work: Write<Result>): Promise<Result> => {
    assertOpen();
    try {
      return await commits.commit(work);
    } catch (error) {
      if (isTaken(error, 'entries.seq')) throw new StaleImage('its entry is there', { cause: error });
      if (isTaken(error, 'turns.idempotency_key')) throw new KeyTaken('another turn has its key', { cause: error });
      throw health.shown(error);
    }
  };

  return {
    ...createMarks(db),
    signingKey: createSigningKey(db.name),
    read: async (work) => {
      assertOpen();
      try {
        assertInPlace();
        return run(work());
      } catch (error) {
        throw health.shown(error);
      }
    },
    write,
    commit: write,
    newSessionId: async () => {
      lastSessionId += 1;
      return lastSessionId;
    },
    size: async () => {
      assertOpen();
      return sizeOf(db);
    },
    isWritable: async () => health.isWritable(),
    close: async () => {
      isClosed = true;
      close();
    },
  };
};
