import { createHash, randomBytes } from 'node:crypto';
import type { KeyRequest, KeyView, ListedKey, NewKey, QuotaChange, UserView } from '../../contracts/access.ts';
import { totalTokens } from '../../contracts/usage.ts';
import { ServiceError } from '../lib/errors.ts';
import { iso, isoOrNull } from '../lib/iso-time.ts';
import type { Page, PageRequest } from '../lib/page.ts';
import type { AccessStore, StoredKey } from './port.ts';

/** The prefix of every key, for people and secret scanners. */
export const KEY_PREFIX = 'tripact_';

/** Random bytes of a key: 192 bits cannot be guessed, so a fast hash is enough. */
const KEY_BYTES = 24;

const ID_BYTES = 6;

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const keyView = ({ hash: _, ...key }: StoredKey): KeyView => ({
  ...key,
  roles: [...key.roles],
  created_at: iso(key.created_at),
  expires_at: isoOrNull(key.expires_at),
  last_used_at: isoOrNull(key.last_used_at),
});

/** Throws `INVALID_REQUEST` for a limit of money without a price list: no call would have a known cost. */
export const assertPriced = ({ cost_per_day = null }: QuotaChange, currency: string | null): void => {
  if (cost_per_day === null || currency !== null) return;
  throw new ServiceError(
    'INVALID_REQUEST',
    'An amount of money a day needs "prices" in tripact.config.ts: what a million tokens cost',
  );
};

/**
 * Makes a key, stores its hash, and changes its owner's quota as requested. Only the result contains the key itself.
 * Throws `INVALID_REQUEST` for an expiry in the past, and for roles of a front end.
 */
export const issueKey = async (
  { keys, quotas }: Pick<AccessStore, 'keys' | 'quotas'>,
  { owner, role, roles = [], expires_at, ...quota }: KeyRequest,
  now: number,
): Promise<NewKey> => {
  const endsAt = expires_at === null ? null : Date.parse(expires_at);
  if (endsAt !== null && endsAt <= now)
    throw new ServiceError(
      'INVALID_REQUEST',
      `expires_at ${expires_at} is not in the future: the key would never work`,
    );
  if (role === 'front_end' && roles.length > 0)
    throw new ServiceError('INVALID_REQUEST', 'The key of a front end has no roles: all of its users would have them');
  const key = `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
  const stored: StoredKey = {
    id: `key_${randomBytes(ID_BYTES).toString('hex')}`,
    hash: hashOfKey(key),
    owner,
    role,
    roles: [...new Set(roles)],
    created_at: now,
    expires_at: endsAt,
    last_used_at: null,
  };
  if (Object.keys(quota).length > 0) await quotas.set(owner, quota, now);
  await keys.add(stored);
  return { ...keyView(stored), key };
};

/** An owner's quota, and its usage on the day of `now`, epoch milliseconds. */
const dayOf = async ({ quotas, usedOn }: AccessStore, owner: string, now: number) => {
  const { turns, usage, cost } = await usedOn(owner, now);
  const today = { turns, tokens: totalTokens(usage), ...(cost !== undefined && { cost }) };
  return { quota: await quotas.of(owner), today };
};

/**
 * A page of the users of front ends, each with the daily quota and its usage on the day of `now`, epoch milliseconds.
 */
export const listUsers = async (access: AccessStore, page: PageRequest, now: number): Promise<Page<UserView>> => {
  const { items, next } = await access.users(page);
  const users: UserView[] = [];
  for (const user of items) users.push({ user, ...(await dayOf(access, user, now)) });
  return { items: users, next };
};

/** A page of the keys, each with its owner's quota and its usage on the day of `now`, epoch milliseconds. */
export const listKeys = async (access: AccessStore, page: PageRequest, now: number): Promise<Page<ListedKey>> => {
  const { items, next } = await access.keys.list(page);
  const owners = new Map<string, Awaited<ReturnType<typeof dayOf>>>();
  for (const owner of new Set(items.map((key) => key.owner))) owners.set(owner, await dayOf(access, owner, now));
  return { items: items.map((key) => ({ ...keyView(key), ...owners.get(key.owner)! })), next };
};
