import type { Log } from '../lib/log.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import type { Seal } from '../lib/seal.ts';
import { readSealed } from './links.ts';
import { type FetchFor, renewTokens, revokeTokens, SignedIn, type SignInServer } from './oauth.ts';
import type { SignInStore } from './port.ts';

/** A token that ends so soon is renewed before it is used, in milliseconds. */
const RENEW_MS = 30_000;

/** The owner and server that a row is sealed for, so that it opens for no other owner or server. */
const ofRow = (owner: string, server: string): string => JSON.stringify(['tokens', owner, server]);

interface Parts {
  seal: Seal;
  servers: Readonly<Record<string, SignInServer>>;
  store: SignInStore;
  fetchFor: FetchFor;
  log: Log;
  now(): number;
}

/** Keeps owners' tokens, sealed, and renews them. */
export const createOwnerTokens = ({ seal, servers, store, fetchFor, log, now }: Parts) => {
  const renewing = new Map<string, Promise<string | null>>();
  /** The token that each owner's calls use, by which a renewal knows whether it came too late. */
  const used = new Map<string, string>();
  /** Changes of a row, one after the other, so that none is lost. */
  const inTurn = queueByKey();
  const isWorthALine = onceAMinute();

  /** The tokens in a row; null: none, or none that a key opens, so that its owner signs in again. */
  const openedIn = (owner: string, server: string, sealed: string | null) => {
    if (sealed === null) return null;
    const opened = seal.open(ofRow(owner, server), sealed);
    const value = readSealed(SignedIn, opened);
    if (opened !== null && value !== null) return { value, isCurrent: opened.isCurrent };
    if (isWorthALine())
      log.warn(
        { mcp_server: server },
        'no key of TRIPACT_SECRET_KEY opens a stored sign-in: its owner has to sign in again',
      );
    return null;
  };

  const stored = async (owner: string, server: string) =>
    openedIn(owner, server, (await store.of(owner, server))?.sealed ?? null);

  const signedIn = async (owner: string, server: string): Promise<SignedIn | null> =>
    (await stored(owner, server))?.value ?? null;

  const write = (owner: string, server: string, value: SignedIn, signed_in_at: number | null): Promise<void> =>
    store.save(owner, server, seal.seal(ofRow(owner, server), JSON.stringify(value)), signed_in_at);

  const renew = async (owner: string, server: string, refused: string | undefined): Promise<string | null> => {
    const before = await signedIn(owner, server);
    const configured = servers[server];
    if (before === null || configured === undefined) return null;
    // Another call has renewed it meanwhile.
    if (refused !== undefined && before.tokens.access_token !== refused) return before.tokens.access_token;
    const renewed = await renewTokens(before, now(), fetchFor(configured));
    if (renewed === null) {
      await store.remove(owner, server);
      log.info({ mcp_server: server }, 'a sign-in has ended: its owner has to sign in again');
      return null;
    }
    await write(owner, server, renewed, null);
    return renewed.tokens.access_token;
  };

  /** One renewal at a time: many issuers take a refresh token once. */
  const renewOnce = (owner: string, server: string, refused?: string): Promise<string | null> => {
    const key = ofRow(owner, server);
    const running =
      renewing.get(key) ?? inTurn(key, () => renew(owner, server, refused)).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  };

  /** Seals a row by the current key that an earlier one opened. */
  const reseal = (owner: string, server: string): Promise<void> =>
    inTurn(ofRow(owner, server), async () => {
      const found = await stored(owner, server);
      if (found !== null && !found.isCurrent) await write(owner, server, found.value, null);
    });

  const tellIssuer = async (found: SignedIn, server: string): Promise<void> => {
    const configured = servers[server];
    if (configured === undefined) return;
    await revokeTokens(found, fetchFor(configured)).catch((error: unknown) => {
      const reason = (error as Error).message;
      log.warn({ mcp_server: server, reason }, 'the issuer could not be told that a sign-in was revoked');
    });
  };

  const revoke = async (owner: string, server: string): Promise<boolean> => {
    const found = await signedIn(owner, server);
    const wasThere = await store.remove(owner, server);
    used.delete(ofRow(owner, server));
    if (found !== null) await tellIssuer(found, server);
    return wasThere;
  };

  return {
    signedIn,
    save: (owner: string, server: string, value: SignedIn, signed_in_at: number): Promise<void> =>
      inTurn(ofRow(owner, server), () => write(owner, server, value, signed_in_at)),
    token: async (owner: string, server: string): Promise<string | null> => {
      const found = await stored(owner, server);
      if (found === null) return null;
      const { access_token, expires_at = Number.POSITIVE_INFINITY } = found.value.tokens;
      const isFresh = expires_at - now() > RENEW_MS;
      if (isFresh && !found.isCurrent) await reseal(owner, server);
      const token = isFresh ? access_token : await renewOnce(owner, server);
      if (token !== null) used.set(ofRow(owner, server), token);
      return token;
    },
    renewed: (owner: string, server: string): Promise<string | null> =>
      renewOnce(owner, server, used.get(ofRow(owner, server))),
    list: async (owner: string) => {
      const since = new Map(
        (await store.list(owner)).map(({ server, sealed, signed_in_at }) => [
          server,
          openedIn(owner, server, sealed) === null ? null : signed_in_at,
        ]),
      );
      return Object.keys(servers).map((server) => ({ server, signed_in_at: since.get(server) ?? null }));
    },
    revoke,
    revokeAll: async (owner: string): Promise<void> => {
      const rows = await store.list(owner).catch(() => []);
      await Promise.allSettled(rows.map(({ server }) => revoke(owner, server)));
    },
  };
};
