import type { JWTPayload, JWTVerifyOptions, RemoteJWKSetOptions } from 'jose';
import type { TokenSettings } from '../app/config/token-settings.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { createIssuerKeys, unavailable } from './issuer-keys.ts';
import { readClaims, type TokenStatement } from './token-claims.ts';

/** Signatures that the issuer's public keys check. None of a shared secret: a public key must never pass for one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** How far the clocks of issuer and service may differ, in seconds. */
const CLOCK_SKEW_SECONDS = 30;

/** How long fetched keys serve, and how soon an unknown key has them fetched again, in milliseconds: that is what any stranger can cause. */
const KEYS_MS = { cacheMaxAge: 10 * 60 * 1_000, cooldownDuration: 30_000 };

/** Three parts of base64url with dots between them; whether it is one is for the library. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Reads the tokens of one issuer. */
export interface Tokens {
  /** What a token says; null where it is not a valid one. Rejects with `ISSUER_UNAVAILABLE` where that can't be found out. */
  read(token: string): Promise<TokenStatement | null>;
}

/** What reading them needs. */
export interface TokenParts {
  settings: TokenSettings;
  now(): number;
  log: Log;
}

/** The library, loaded with the first token, and the issuer's keys. */
const createVerify = async ({ settings, now, onFault }: TokenParts & { onFault(error: unknown): void }) => {
  const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose');
  const issuerKeys = createIssuerKeys({
    ...settings,
    now,
    onFault,
  });
  const options: RemoteJWKSetOptions = {
    ...KEYS_MS,
    [customFetch]: async () => new Response(await issuerKeys()),
  };
  // The address is the fetch's own affair, for it may first have to be discovered.
  const createKeys = () => createRemoteJWKSet(new URL(settings.issuer), options);
  let keys = createKeys();
  let readAt = now();
  return async (token: string): Promise<JWTPayload> => {
    const at = now();
    // The library goes by the clock: once that was set back, the keys that it has would serve for as much longer.
    if (at < readAt) keys = createKeys();
    readAt = at;
    const checks: JWTVerifyOptions = {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(at),
    };
    return (await jwtVerify(token, keys, checks)).payload;
  };
};

/** Makes what reads the tokens of the configured issuer (SPEC 11). It never logs a token. */
export const createTokens = (parts: TokenParts): Tokens => {
  const { settings, log } = parts;
  const isWorthALine = onceAMinute();
  const onFault = (error: unknown): void => {
    if (isWorthALine()) log.warn({ err: error, issuer: settings.issuer }, "the issuer's keys could not be had");
  };
  const verifier = madeOnce(() => createVerify({ ...parts, onFault }));
  return {
    read: async (token) => {
      if (!TOKEN.test(token)) return null;
      const verify = await verifier().catch((error: unknown) => {
        onFault(error);
        throw unavailable(error);
      });
      try {
        const statement = readClaims(await verify(token), settings.claims);
        if (statement === null) log.debug({ claims: settings.claims }, 'a token was refused: its claims name no owner');
        return statement;
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        const { code, message } = error as { code?: unknown; message?: unknown };
        log.debug({ code, reason: message }, 'a token was refused');
        return null;
      }
    },
  };
};
