import { execute, query, queryOne } from '../../lib/queries.ts';
import type { FileStore, StoredFile } from '../../workspace/port.ts';
import type { SqlDatabase } from './database.ts';

const OF_SESSION = 'FROM session_files WHERE owner = @owner AND session_id = @session_id';

/** Stores nothing for a session that is being removed. */
const WRITE = `
  INSERT INTO session_files (owner, session_id, path, bytes, modified_at, stored_at)
  SELECT owner, session_id, CAST(@path AS text), CAST(@bytes AS bytea), CAST(@modified_at AS bigint), CAST(@stored_at AS bigint)
  FROM sessions WHERE owner = @owner AND session_id = @session_id FOR KEY SHARE
  ON CONFLICT (owner, session_id, path) DO UPDATE
  SET bytes = excluded.bytes, modified_at = excluded.modified_at, stored_at = excluded.stored_at`;

/** Creates the store of session files, in PostgreSQL. They are removed with their session. */
export const createFileStore = (db: SqlDatabase): FileStore => ({
  list: ({ owner, session_id }) =>
    db.read(() =>
      query<StoredFile>(`SELECT path, octet_length(bytes) AS size, modified_at, stored_at ${OF_SESSION}`, {
        owner,
        session_id,
      }),
    ),
  read: async ({ owner, session_id }, path) => {
    const values = { owner, session_id, path };
    const found = await db.read(() =>
      queryOne<{ bytes: Buffer }>(`SELECT bytes ${OF_SESSION} AND path = @path`, values),
    );
    return found?.bytes ?? null;
  },
  change: ({ owner, session_id }, changed, removed) =>
    db.commit(
      owner,
      function* () {
        for (const file of changed) yield* execute(WRITE, { ...file, owner, session_id });
        for (const path of removed)
          yield* execute(`DELETE ${OF_SESSION} AND path = @path`, { owner, session_id, path });
      },
      'beside',
    ),
});
