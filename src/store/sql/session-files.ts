import { ask, askOne, tell } from '../../lib/questions.ts';
import type { SessionKey } from '../../session/image.ts';
import type { SqlDatabase } from './database.ts';

/** A file to be stored; times are epoch milliseconds. */
interface ChangedFile {
  path: string;
  bytes: Buffer;
  modified_at: number;
  stored_at: number;
}

const OF_SESSION = 'FROM session_files WHERE owner = @owner AND session_id = @session_id';

/** Stores nothing for a session that is being removed. */
const WRITE = `
  INSERT INTO session_files (owner, session_id, path, bytes, modified_at, stored_at)
  SELECT owner, session_id, CAST(@path AS text), CAST(@bytes AS bytea), CAST(@modified_at AS bigint), CAST(@stored_at AS bigint)
  FROM sessions WHERE owner = @owner AND session_id = @session_id FOR KEY SHARE
  ON CONFLICT (owner, session_id, path) DO UPDATE
  SET bytes = excluded.bytes, modified_at = excluded.modified_at, stored_at = excluded.stored_at`;

/** Makes the store of the files of sessions, in PostgreSQL. They go with their session. */
export const createFileStore = (db: SqlDatabase) => ({
  list: ({ owner, session_id }: SessionKey) =>
    db.read(() =>
      ask<Omit<ChangedFile, 'bytes'> & { size: number }>(
        `SELECT path, octet_length(bytes) AS size, modified_at, stored_at ${OF_SESSION}`,
        { owner, session_id },
      ),
    ),
  /** The bytes of a file; null where there is none. */
  read: async ({ owner, session_id }: SessionKey, path: string): Promise<Buffer | null> => {
    const values = { owner, session_id, path };
    const found = await db.read(() => askOne<{ bytes: Buffer }>(`SELECT bytes ${OF_SESSION} AND path = @path`, values));
    return found?.bytes ?? null;
  },
  change: ({ owner, session_id }: SessionKey, changed: readonly ChangedFile[], removed: readonly string[]) =>
    db.write(
      owner,
      function* () {
        for (const file of changed) yield* tell(WRITE, { ...file, owner, session_id });
        for (const path of removed) yield* tell(`DELETE ${OF_SESSION} AND path = @path`, { owner, session_id, path });
      },
      'beside',
    ),
});
