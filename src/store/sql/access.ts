import { frontEndOf, NO_QUOTA, type Quota } from '../../../contracts/access.ts';
import type { AccessKeys, AccessStore, OwnerQuotas, StoredKey } from '../../access/port.ts';
import { dayOf } from '../../lib/iso-time.ts';
import type { Page, PageRequest } from '../../lib/page.ts';
import { execute, noQueries, type Queries, query, queryOne } from '../../lib/queries.ts';
import type { SqlDatabase } from './database.ts';
import { pageOf } from './pages.ts';
import { addCall, DAY_MS, usageByDay, usageOfDay } from './usage.ts';

/** Days for which an expired key is still listed, so that its user learns why it ended; the next new key removes it. */
const EXPIRED_KEY_DAYS = 30;

const WERE_ADDED = 'access_keys_were_added';

const KEY = 'id, hash, owner, role, created_at, expires_at, last_used_at, roles';

export const markKeysAdded = (at: number): Queries<void> =>
  execute('INSERT INTO meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO NOTHING', {
    key: WERE_ADDED,
    value: String(at),
  });

function* addKey(key: StoredKey): Queries<void> {
  const { created_at } = key;
  const before = created_at - EXPIRED_KEY_DAYS * DAY_MS;
  yield* execute('DELETE FROM access_keys WHERE expires_at < @before', { before });
  yield* execute(
    `INSERT INTO access_keys (${KEY}) VALUES (@id, @hash, @owner, @role, @created_at, @expires_at, @last_used_at, @roles)`,
    { ...key, roles: key.roles.length === 0 ? null : JSON.stringify(key.roles) },
  );
  yield* markKeysAdded(created_at);
}

type KeyRow = Omit<StoredKey, 'roles'> & { roles: string | null };

const storedKey = ({ roles, ...key }: KeyRow): StoredKey => ({
  ...key,
  roles: roles === null ? [] : (JSON.parse(roles) as string[]),
});

const createKeys = (db: SqlDatabase): AccessKeys => ({
  wereAdded: () => db.isMarked(WERE_ADDED),
  find: (hash) =>
    db.read(function* () {
      const row = yield* queryOne<KeyRow>(`SELECT ${KEY} FROM access_keys WHERE hash = @hash`, { hash });
      return row && storedKey(row);
    }),
  add: async (key) => {
    await db.write(null, () => addKey(key));
    db.marked(WERE_ADDED);
  },
  list: ({ limit, after }) =>
    db.read(function* () {
      const rows = yield* query<KeyRow & { cursor: number }>(
        `SELECT number AS cursor, ${KEY} FROM access_keys WHERE number > @after ORDER BY number LIMIT @limit`,
        { after: Number(after ?? 0), limit },
      );
      return pageOf(rows, limit, storedKey);
    }),
  revoke: (id) =>
    db.write(null, function* () {
      return (yield* query('DELETE FROM access_keys WHERE id = @id RETURNING id', { id })).length > 0;
    }),
  // Every node looks up keys, whoever their owner's home is.
  markUsed: ({ id, owner }, at) =>
    db.write(null, () =>
      execute(
        `UPDATE access_keys SET last_used_at = @at
         WHERE owner = @owner AND id = @id AND coalesce(last_used_at, 0) < @at`,
        { owner, id, at },
      ),
    ),
});

const isNothing = ({ turns_per_day, tokens_per_day, cost_per_day }: Quota): boolean =>
  turns_per_day === null && tokens_per_day === null && cost_per_day === null;

const QUOTA = 'turns_per_day, tokens_per_day, cost_per_day';

function* quotaRow(owner: string): Queries<(Quota & { set_at: number }) | null> {
  return yield* queryOne(`SELECT ${QUOTA}, set_at FROM owner_quotas WHERE owner = @owner`, { owner });
}

/** An owner's quota; a front end's user without one has the front end's. */
function* quotaOf(owner: string): Queries<Quota | null> {
  const frontEnd = frontEndOf(owner);
  const row = (yield* quotaRow(owner)) ?? (frontEnd === null ? null : yield* quotaRow(frontEnd));
  if (row === null || isNothing(row)) return null;
  const { turns_per_day, tokens_per_day, cost_per_day } = row;
  return { turns_per_day, tokens_per_day, cost_per_day };
}

function* setQuota([owner, change, now, saidAt = now]: Parameters<OwnerQuotas['set']>): Queries<Quota> {
  const before = yield* quotaRow(owner);
  const was: Quota = (yield* quotaOf(owner)) ?? NO_QUOTA;
  const set_at = Math.min(saidAt, now);
  const isOlder = before !== null && before.set_at > set_at && set_at < now;
  if (isOlder || Object.keys(change).length === 0) return was;
  const quota: Quota = { ...was, ...change };
  if (before === null && isNothing(quota) && isNothing(was)) return quota;
  // A removed quota is kept as a row, so that no older statement restores it.
  yield* execute(
    `INSERT INTO owner_quotas (owner, ${QUOTA}, set_at)
     VALUES (@owner, @turns_per_day, @tokens_per_day, @cost_per_day, @set_at) ON CONFLICT (owner) DO UPDATE SET
       turns_per_day = excluded.turns_per_day, tokens_per_day = excluded.tokens_per_day,
       cost_per_day = excluded.cost_per_day, set_at = excluded.set_at`,
    { owner, ...quota, set_at },
  );
  return quota;
}

/** How long a cached quota is valid, in milliseconds: each model call checks it, and another process may change it. */
const QUOTA_KEPT_MS = 1_000;

const createQuotas = (db: SqlDatabase): OwnerQuotas => {
  const kept = new Map<string, Quota | null>();
  let keptSince = 0;
  return {
    of: async (owner) => {
      if (performance.now() - keptSince > QUOTA_KEPT_MS) {
        kept.clear();
        keptSince = performance.now();
      }
      if (!kept.has(owner)) kept.set(owner, await db.read(() => quotaOf(owner)));
      return kept.get(owner) ?? null;
    },
    set: (...given) => db.write(null, () => setQuota(given)).finally(() => kept.clear()),
  };
};

/** Owners examined for a page of users: few of them may be users. */
const SEEN_AT_ONCE = 500;

/** Tables that together contain every owner for whom anything is stored, with keys that begin with the owner. */
const OWNERS_IN = [
  'sessions',
  'owner_counters',
  'turn_days',
  'usage_days',
  'owner_quotas',
  'remembered_conversations',
  'sign_ins',
];

const nextOwner = (after: string): string =>
  `(SELECT min(owner) FROM (${OWNERS_IN.map((table) => `SELECT min(owner) AS owner FROM ${table} WHERE owner > ${after}`).join(' UNION ALL ')}) AS found)`;

/** Owners by name: each is one step in an index, however many rows it has. */
const OWNERS = `
  WITH RECURSIVE owners (owner) AS (
    SELECT ${nextOwner('@after')} UNION ALL SELECT ${nextOwner('owners.owner')} FROM owners WHERE owner IS NOT NULL)
  SELECT owner FROM owners WHERE owner IS NOT NULL LIMIT ${SEEN_AT_ONCE}`;

function* listUsers({ limit, after = '' }: PageRequest): Queries<Page<string>> {
  const seen = (yield* query<{ owner: string }>(OWNERS, { after })).map(({ owner }) => owner);
  const users = seen.filter((owner) => frontEndOf(owner) !== null);
  if (users.length > limit) return { items: users.slice(0, limit), next: users[limit - 1]! };
  return { items: users, next: seen.length < SEEN_AT_ONCE ? null : seen.at(-1)! };
}

export const createAccessStore = (db: SqlDatabase): AccessStore => ({
  keys: createKeys(db),
  quotas: createQuotas(db),
  users: (page) => db.read(() => listUsers(page)),
  usedOn: (owner, at) => db.read(() => usageOfDay(owner, dayOf(at))),
  usedByDay: (owner, page) => db.read(() => usageByDay(owner, page)),
  countCall: (owner, at, usage) =>
    db.write(owner, (calls) =>
      noQueries(() => {
        addCall(calls, owner, at, usage);
      }),
    ),
});
