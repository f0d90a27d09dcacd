import { createHash } from 'node:crypto';
import { z } from 'zod';
import { OwnerName, Quota, type QuotaChange } from '../../contracts/access.ts';
import { LOCAL_OWNER } from '../../contracts/ids.ts';
import type { TokenSettings } from '../app/config/config.ts';
import type { Caller } from './port.ts';

/** What owners begin with whose names in the issuer's tokens are no names here; no other owner of a token begins so. */
const HASHED_PREFIX = 'u-';

/** Longest name of an owner in a token, in characters. */
const SUBJECT_CHARS_MAX = 1_024;

const Subject = z.string().min(1).max(SUBJECT_CHARS_MAX);

/** What a token says, once its signature and its times are checked. */
export interface TokenStatement extends Caller {
  /** What it says of the owner's quota; nothing, mostly. */
  readonly quota: QuotaChange;
  /** When it was issued, epoch milliseconds. */
  readonly issued_at: number;
}

/**
 * The owner of a token's subject: the subject itself where it fits, else a hash of it (`auth0|64ab…`, mail addresses). No two subjects have the same
 * owner, and none is `local`, who had everything before there were keys.
 */
const ownerOf = (subject: string): string =>
  OwnerName.safeParse(subject).success && subject !== LOCAL_OWNER && !subject.startsWith(HASHED_PREFIX)
    ? subject
    : `${HASHED_PREFIX}${createHash('sha256').update(subject).digest('base64url')}`;

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** A claim by its name, or by its path, such as `realm_access.roles`. */
const claim = (claims: object, name: string): unknown =>
  Object.hasOwn(claims, name) ? property(claims, name) : name.split('.').reduce<unknown>(property, claims);

const isOperator = (roles: unknown): boolean =>
  (typeof roles === 'string' ? roles.split(' ') : Array.isArray(roles) ? roles : []).includes('operator');

/** Reads the claims of a valid token; null where they name no owner, or a quota that is none. */
export const readClaims = (
  claims: { iat?: number | undefined },
  names: TokenSettings['claims'],
): TokenStatement | null => {
  const subject = Subject.safeParse(claim(claims, names.owner));
  const quota = Quota.partial().safeParse({
    turns_per_day: claim(claims, names.turnsPerDay),
    tokens_per_day: claim(claims, names.tokensPerDay),
  });
  if (!subject.success || !quota.success || claims.iat === undefined) return null;
  const said = Object.entries(quota.data).filter(([, value]) => value !== undefined);
  return {
    owner: ownerOf(subject.data),
    role: isOperator(claim(claims, names.role)) ? 'operator' : 'user',
    quota: Object.fromEntries(said) as QuotaChange,
    issued_at: claims.iat * 1_000,
  };
};
