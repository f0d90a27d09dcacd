import { execute, type Queries, query, queryOne } from '../../lib/queries.ts';
import type { SignInStore, StoredSignIn } from '../../sign-in/port.ts';
import type { SqlDatabase } from './database.ts';

const ROW = 'server, sealed, signed_in_at';

const OF = 'owner = @owner AND server = @server';

function* take(owner: string, server: string, id: string): Queries<string | null> {
  const row = yield* queryOne<{ pending: string }>(`SELECT pending FROM sign_ins WHERE ${OF} AND pending_id = @id`, {
    owner,
    server,
    id,
  });
  yield* execute(`UPDATE sign_ins SET pending = NULL, pending_id = NULL WHERE ${OF} AND pending_id = @id`, {
    owner,
    server,
    id,
  });
  return row?.pending ?? null;
}

/** Stores owners' sign-ins as they are given, sealed. Any node may serve the page that a browser comes back to. */
export const createSignInStore = (db: SqlDatabase): SignInStore => ({
  of: (owner, server) =>
    db.read(() => queryOne<StoredSignIn>(`SELECT ${ROW} FROM sign_ins WHERE ${OF}`, { owner, server })),
  list: (owner) =>
    db.read(() => query<StoredSignIn>(`SELECT ${ROW} FROM sign_ins WHERE owner = @owner ORDER BY server`, { owner })),
  begin: (owner, server, { id, sealed }) =>
    db.write(null, () =>
      execute(
        `INSERT INTO sign_ins (owner, server, pending_id, pending) VALUES (@owner, @server, @id, @sealed)
         ON CONFLICT (owner, server) DO UPDATE SET pending_id = excluded.pending_id, pending = excluded.pending`,
        { owner, server, id, sealed },
      ),
    ),
  take: (owner, server, id) => db.write(null, () => take(owner, server, id)),
  save: (owner, server, sealed, signed_in_at) =>
    db.write(null, () =>
      execute(
        `INSERT INTO sign_ins (owner, server, sealed, signed_in_at) VALUES (@owner, @server, @sealed, @signed_in_at)
         ON CONFLICT (owner, server) DO UPDATE SET
           sealed = excluded.sealed, signed_in_at = coalesce(excluded.signed_in_at, sign_ins.signed_in_at)`,
        { owner, server, sealed, signed_in_at },
      ),
    ),
  remove: (owner, server) =>
    db.write(null, function* () {
      const rows = yield* query<{ sealed: string | null }>(`DELETE FROM sign_ins WHERE ${OF} RETURNING sealed`, {
        owner,
        server,
      });
      return rows.some(({ sealed }) => sealed !== null);
    }),
});
