import { createHash } from 'node:crypto';
import { OwnerName } from '../../contracts/access.ts';
import { LOCAL_OWNER } from '../../contracts/ids.ts';

const HASHED_PREFIX = 'u-';

/**
 * The name of a token's subject or a front end's user: the text itself if it is a valid name, else a hash of it.
 * Distinct texts have distinct names, and none is `local`.
 */
export const nameOf = (text: string): string =>
  OwnerName.safeParse(text).success && text !== LOCAL_OWNER && !text.startsWith(HASHED_PREFIX)
    ? text
    : `${HASHED_PREFIX}${createHash('sha256').update(text).digest('base64url')}`;

/** The owner for a user of a front end. No key or token alone can stand for it. */
export const frontEndUser = (owner: string, user: string): string => `${owner}~${nameOf(user)}`;

const HASHED = new RegExp(`^${HASHED_PREFIX}[\\w-]{43}$`);

/**
 * The owner that an operator names: a front end's user as listed, or `{key's owner}~` and the front end's name for the
 * user; null: neither.
 */
export const ownerOfUser = (text: string): string | null => {
  const [, owner, user] = /^([\w-]{1,64})~(.+)$/su.exec(text) ?? [];
  if (owner === undefined || user === undefined) return null;
  return HASHED.test(user) ? text : frontEndUser(owner, user);
};
