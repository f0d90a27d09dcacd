import type { Database } from 'better-sqlite3';
import { ACCESS_KEYS_MAX, EXPIRED_KEY_DAYS } from '../../../contracts/access.ts';
import type { AccessKeys, StoredKey } from '../../access/port.ts';
import { createClockJumps } from '../../engine/prune-sessions.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { GuardedRead, Transaction } from './guarded-work.ts';
import { onceATurn } from './once-a-turn.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** In `meta`: a key was added once. */
const WERE_ADDED = 'access_keys_were_added';

interface KeyRow extends StoredKey {
  number: number;
}

const storedKey = ({ number: _, ...key }: KeyRow): StoredKey => key;

/**
 * The keys in a database. Each read is of one row of an index, so that another process's writes count at once. `read` passes on what a
 * read throws, as its own errors.
 */
export const createAccessKeys = (db: Database, transaction: Transaction, read: GuardedRead): AccessKeys => {
  const one = db.prepare<[string], KeyRow>('SELECT * FROM access_keys WHERE hash = ?');
  const page = db.prepare<[number, number], KeyRow>(
    'SELECT * FROM access_keys WHERE number > ? ORDER BY number LIMIT ?',
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM access_keys').pluck();
  const forget = db.prepare('DELETE FROM access_keys WHERE expires_at < ?');
  const insert = db.prepare(
    `INSERT INTO access_keys (id, hash, owner, role, created_at, expires_at, last_used_at)
     VALUES (@id, @hash, @owner, @role, @created_at, @expires_at, @last_used_at)`,
  );
  const setAdded = db.prepare('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)');
  const meta = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  const hasJumped = createClockJumps();
  const added = onceATurn((name: string) => meta.get(name) !== undefined);
  /** What can't be read lets nobody in, unless it was read before. */
  let lastRead = true;
  const remove = db.prepare('DELETE FROM access_keys WHERE id = ?');
  const use = db.prepare(
    'UPDATE access_keys SET last_used_at = @at WHERE id = @id AND coalesce(last_used_at, 0) < @at',
  );
  return {
    wereAdded: () => {
      try {
        lastRead = added.of(WERE_ADDED);
      } catch {
        // A disk that fails for a moment closes no service that is open to all: what it is asked for is 503 meanwhile.
      }
      return lastRead;
    },
    find: (hash) =>
      read(async () => {
        const row = one.get(hash);
        return row === undefined ? null : storedKey(row);
      }),
    add: (key) =>
      transaction(() => {
        if (!hasJumped(key.created_at)) forget.run(key.created_at - EXPIRED_KEY_DAYS * DAY_MS);
        if (count.get()! >= ACCESS_KEYS_MAX)
          throw new ServiceError(
            'TOO_MANY_REQUESTS',
            `There are ${ACCESS_KEYS_MAX} keys already; revoke those that nobody uses`,
          );
        insert.run(key);
        setAdded.run(WERE_ADDED, String(key.created_at));
        added.forget();
        lastRead = true;
      }),
    list: ({ limit, after }) =>
      read(async () => {
        const rows = page.all(Number(after ?? 0), limit);
        const last = rows.at(-1);
        const next = last === undefined || rows.length < limit ? null : String(last.number);
        return { items: rows.map(storedKey), next };
      }),
    revoke: (id) => transaction(() => remove.run(id).changes > 0),
    markUsed: (id, at) => {
      hasJumped(at);
      return transaction(() => void use.run({ id, at }));
    },
  };
};
