import { z } from 'zod';
import { JWKS_BYTES_MAX } from '../../contracts/limits.ts';
import { listOf } from '../../contracts/list-of.ts';
import { ServiceError } from '../lib/errors.ts';
import { createPacedFetch } from '../paced-fetch.ts';

/** Longest wait for an issuer's document, in milliseconds: a caller waits for it. */
const FETCH_MS_MAX = 5_000;

/** Time in which a document that could not be had is not asked for again, in milliseconds. */
const RETRY_MS = 5_000;

/** How long the last keys serve where the issuer can't be reached, in milliseconds: a restart of it fits in. */
const STALE_MS_MAX = 60 * 60 * 1_000;

const KeySet = z.object({ keys: listOf(z.object({}).loose()) });
const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

/** The issuer's keys, or what checks by them, can't be had now: who shows a good token may try again soon. */
export const unavailable = (cause: unknown): ServiceError =>
  new ServiceError('ISSUER_UNAVAILABLE', "The keys of the tokens' issuer can not be had now; try again soon", {
    cause,
    retryAfterSeconds: RETRY_MS / 1_000,
  });

const pacedFetch = createPacedFetch();

/** The text of an issuer's document, within its bounds; null for one that is not there. */
const fetchText = async (url: string): Promise<string | null> => {
  const response = await pacedFetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_MS_MAX),
  });
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > JWKS_BYTES_MAX) throw new Error(`${url} answered more than ${JWKS_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Where an issuer's keys are, by its discovery document; where it has none, at the usual place. */
const discover = async (issuer: string): Promise<string> => {
  const root = issuer.replace(/\/$/, '');
  const document = await fetchText(`${root}/.well-known/openid-configuration`);
  if (document === null) return `${root}/.well-known/jwks.json`;
  const { issuer: named, jwks_uri } = Discovery.parse(JSON.parse(document));
  if (named !== issuer) throw new Error(`the discovery document is of ${named}`);
  return jwks_uri;
};

/** What fetches an issuer's keys. */
export interface IssuerKeysParts {
  issuer: string;
  jwksUrl: string | null;
  now(): number;
  /** They could not be had. */
  onFault(error: unknown): void;
}

/**
 * Makes what gives the text of an issuer's key set (JWKS), fetched anew at each call. Where the issuer fails, the last one serves for an hour;
 * without one it rejects with `ISSUER_UNAVAILABLE`.
 */
export const createIssuerKeys = ({ issuer, jwksUrl, now, onFault }: IssuerKeysParts): (() => Promise<string>) => {
  let discovered: string | null = null;
  let last: { text: string; at: number } | null = null;
  let failed: { error: unknown; at: number } | null = null;

  const fetchKeys = async (): Promise<string> => {
    const url = jwksUrl ?? discovered ?? (await discover(issuer));
    // Asked for again after a fault: a document that was not there for a moment is no reason to look at the usual place for good.
    discovered = null;
    const text = await fetchText(url);
    if (text === null) throw new Error(`${url} is not there`);
    KeySet.parse(JSON.parse(text));
    discovered = url;
    return text;
  };

  return async () => {
    // A clock that was set back is no reason to wait as long, nor for the last keys to serve longer.
    if (last !== null) last.at = Math.min(last.at, now());
    if (failed === null || Math.abs(now() - failed.at) >= RETRY_MS) {
      try {
        const text = await fetchKeys();
        last = { text, at: now() };
        failed = null;
        return text;
      } catch (error) {
        failed = { error, at: now() };
        onFault(error);
      }
    }
    if (last !== null && now() - last.at < STALE_MS_MAX) return last.text;
    throw unavailable(failed.error);
  };
};
