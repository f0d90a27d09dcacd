import { z } from 'zod';
import { Quota, type QuotaChange } from '../../contracts/access.ts';
import { ROLES_MAX, RoleName } from '../../contracts/approver.ts';
import type { TokenSettings } from '../config/config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { nameOf } from './names.ts';
import type { Caller } from './port.ts';

const Subject = z.string().min(1).max(1_024);

/** Claims of a token whose signature and times are verified. */
export interface TokenStatement extends Caller {
  readonly subject: string;
  readonly quota: QuotaChange;
  /** When it was issued, in epoch milliseconds. */
  readonly issued_at: number;
}

/** A claim by its name, or by its path, such as `realm_access.roles`. */
const claim = (claims: object, name: string): unknown =>
  Object.hasOwn(claims, name)
    ? Reflect.get(claims, name)
    : name.split('.').reduce<unknown>((value, key) => (Object(value) as Record<string, unknown>)[key], claims);

/** The roles in a claim: a list, or words. */
const rolesIn = (claimed: unknown): unknown[] =>
  typeof claimed === 'string' ? claimed.split(' ') : Array.isArray(claimed) ? claimed : [];

/** The roles that approvers may be named by. Any others, such as those of other services, are ignored. */
const approverRoles = (roles: unknown[]): string[] =>
  [...new Set(roles.flatMap((role) => RoleName.safeParse(role).data ?? []))].slice(0, ROLES_MAX);

/** An amount of money as issuers write it: a decimal text, or a number. */
const amountIn = (said: unknown): unknown => (typeof said === 'number' ? String(said) : said);

/** Reads the claims of a valid token; null if they name no owner, or an invalid quota. */
const readClaims = (
  claims: { iat?: number | undefined; sub?: string | undefined },
  names: TokenSettings['claims'],
): TokenStatement | null => {
  const subject = Subject.safeParse(claim(claims, names.owner));
  const quota = Quota.partial().safeParse({
    turns_per_day: claim(claims, names.turnsPerDay),
    tokens_per_day: claim(claims, names.tokensPerDay),
    cost_per_day: amountIn(claim(claims, names.costPerDay)),
  });
  if (!subject.success || !quota.success || claims.iat === undefined) return null;
  const roles = rolesIn(claim(claims, names.role));
  // An absent claim leaves the quota unchanged.
  const said = Object.entries(quota.data).filter(([, value]) => value !== undefined);
  return {
    owner: nameOf(subject.data),
    subject: nameOf(claims.sub ?? subject.data),
    role: roles.includes('operator') ? 'operator' : 'user',
    roles: approverRoles(roles),
    quota: Object.fromEntries(said) as QuotaChange,
    issued_at: claims.iat * 1_000,
  };
};

/** Signature algorithms with public keys. None with a shared secret: a public key must never pass for one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** Tolerated difference between the clocks of issuer and service, in seconds. */
const CLOCK_SKEW_SECONDS = 30;

/** Longest wait for a document of the issuer, in milliseconds: a caller waits for it. */
const FETCH_MS_MAX = 5_000;

/** When a caller may retry after a failure of the issuer, in seconds. */
const RETRY_SECONDS = 5;

/**
 * Shortest time between two fetches of the keys for unknown tokens, in milliseconds: strangers can make such tokens.
 */
const REFETCH_MS = 1_000;

/** Errors of a token whose key the issuer may just have added, or replaced under the same name. */
const NEW_KEY_FAULTS = new Set(['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED']);

/** Three parts of base64url with dots between them. The library validates the rest. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Errors of the issuer's key set, among the library's errors; all others are the token's. */
const KEYS_FAULTS = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** The address of an issuer's keys, by its discovery document, or else the usual one. */
const discover = async (issuer: string): Promise<string> => {
  const root = issuer.replace(/\/$/, '');
  const url = `${root}/.well-known/openid-configuration`;
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS_MAX) });
  if (response.status === 404) return `${root}/.well-known/jwks.json`;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  const { issuer: named, jwks_uri } = Discovery.parse(await response.json());
  if (named !== issuer) throw new Error(`the discovery document is of ${named}`);
  return jwks_uri;
};

/** Creates the reader of the configured issuer's tokens (SPEC 11). The library caches the keys. Never logs a token. */
export const createTokens = (settings: TokenSettings, now: () => number, log: Log) => {
  const { issuer, audience, jwksUrl } = settings;
  const isWorthALine = onceAMinute();
  let refetchedAt = Number.NEGATIVE_INFINITY;
  /** Counts the fetches of newer keys, so that a token checked against older ones is checked again. */
  let reloads = 0;
  /** Whether the keys may be fetched again for a token that none of them fits. */
  const mayRefetch = (): boolean => {
    const isDue = Math.abs(now() - refetchedAt) >= REFETCH_MS;
    if (isDue) refetchedAt = now();
    return isDue;
  };
  const unavailable = (cause: unknown): ServiceError => {
    if (isWorthALine()) log.warn({ err: cause, issuer }, "the issuer's keys could not be fetched");
    return new ServiceError(
      'ISSUER_UNAVAILABLE',
      "The keys of the tokens' issuer cannot be fetched now; try again soon",
      {
        cause,
        retryAfterSeconds: RETRY_SECONDS,
      },
    );
  };
  const openKeys = async () => {
    const jose = await import('jose');
    const url = new URL(jwksUrl ?? (await discover(issuer)));
    return { ...jose, keys: jose.createRemoteJWKSet(url, { timeoutDuration: FETCH_MS_MAX }) };
  };
  /** Null after a failure: the address may have been wrong. */
  let opened: ReturnType<typeof openKeys> | null = null;
  return {
    /** The claims of a token; null if it is invalid. Rejects with `ISSUER_UNAVAILABLE` if that cannot be determined. */
    read: async (token: string): Promise<TokenStatement | null> => {
      if (!TOKEN.test(token)) return null;
      opened ??= openKeys();
      const { keys, jwtVerify, errors } = await opened.catch((error: unknown) => {
        opened = null;
        throw unavailable(error);
      });
      const verify = () =>
        jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_SKEW_SECONDS,
          requiredClaims: ['exp', 'iat'],
          currentDate: new Date(now()),
        });
      const triedWith = reloads;
      try {
        const { payload } = await verify().catch(async (error: unknown) => {
          const mayBeNew = error instanceof errors.JOSEError && NEW_KEY_FAULTS.has(error.code);
          if (!mayBeNew) throw error;
          if (reloads === triedWith) {
            if (!keys.reloading && !mayRefetch()) throw error;
            await keys.reload();
            reloads += 1;
          }
          return verify();
        });
        const statement = readClaims(payload, settings.claims);
        if (statement === null) log.debug({ claims: settings.claims }, 'a token was refused: its claims name no owner');
        return statement;
      } catch (error) {
        if (!(error instanceof errors.JOSEError) || KEYS_FAULTS.has(error.code)) {
          // Good keys stay, whatever a token triggered.
          if (!keys.fresh) opened = null;
          throw unavailable(error);
        }
        log.debug({ code: error.code, reason: error.message }, 'a token was refused');
        return null;
      }
    },
  };
};
export type Tokens = ReturnType<typeof createTokens>;
