import type { Log } from '../lib/log.ts';
import { readSealed } from './links.ts';
import { type FetchFor, renewTokens, revokeTokens, SignedIn, type SignInServer } from './oauth.ts';
import type { SignInStore } from './port.ts';
import type { Seal } from './seal.ts';

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

  const signedIn = async (owner: string, server: string): Promise<SignedIn | null> => {
    const { sealed = null } = (await store.of(owner, server)) ?? {};
    // One that was sealed with another key is none: its owner signs in again.
    return readSealed(SignedIn, sealed === null ? null : seal.open(ofRow(owner, server), sealed));
  };

  const save = (owner: string, server: string, value: SignedIn, signed_in_at: number | null): Promise<void> =>
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
    await save(owner, server, renewed, null);
    return renewed.tokens.access_token;
  };

  /** One renewal at a time: many issuers take a refresh token once. */
  const renewOnce = (owner: string, server: string, refused?: string): Promise<string | null> => {
    const key = ofRow(owner, server);
    const running = renewing.get(key) ?? renew(owner, server, refused).finally(() => renewing.delete(key));
    renewing.set(key, running);
    return running;
  };

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
    save,
    token: async (owner: string, server: string): Promise<string | null> => {
      const found = await signedIn(owner, server);
      if (found === null) return null;
      const { access_token, expires_at = Number.POSITIVE_INFINITY } = found.tokens;
      const token = expires_at - now() > RENEW_MS ? access_token : await renewOnce(owner, server);
      if (token !== null) used.set(ofRow(owner, server), token);
      return token;
    },
    renewed: (owner: string, server: string): Promise<string | null> =>
      renewOnce(owner, server, used.get(ofRow(owner, server))),
    list: async (owner: string) => {
      const since = new Map((await store.list(owner)).map((row) => [row.server, row.sealed && row.signed_in_at]));
      return Object.keys(servers).map((server) => ({ server, signed_in_at: since.get(server) || null }));
    },
    revoke,
    revokeAll: async (owner: string): Promise<void> => {
      const rows = await store.list(owner).catch(() => []);
      await Promise.allSettled(rows.map(({ server }) => revoke(owner, server)));
    },
  };
};
