import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  type FetchLike,
  isStrictScopeSuperset,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Challenge } from './port.ts';

/** A server whose owners sign in, as configured. */
export interface SignInServer {
  readonly url: string;
  /** The service as a client that the server's operator has registered; absent: it registers itself. */
  readonly client?: { readonly client_id: string; readonly client_secret?: string };
  readonly scope?: string;
}

/** Requests to places that a server names; never to private hosts that the operator does not allow. */
export type FetchFor = (server: SignInServer) => FetchLike;

const Client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  /** The rights that it was registered for; absent: the issuer does not bind it to any. */
  scope: z.string().optional(),
});

/** Where a server's sign-ins happen, and as which client: bound to each other. */
const Place = z.object({
  issuer: z.string(),
  metadata: z.custom<AuthorizationServerMetadata>(),
  resource: z.string().optional(),
  client: Client,
});
export type Place = z.infer<typeof Place>;

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  /** Epoch milliseconds; absent: not said. */
  expires_at: z.number().optional(),
  /** The rights that were given, or else asked for. */
  scope: z.string().optional(),
});
export type Tokens = z.infer<typeof Tokens>;

/** An owner's stored tokens at a server, sealed. */
export const SignedIn = z.object({ place: Place, tokens: Tokens });
export type SignedIn = z.infer<typeof SignedIn>;

/** The data that finishes a begun sign-in, sealed. */
export const Begun = z.object({
  place: Place,
  verifier: z.string(),
  redirect: z.string(),
  scope: z.string().optional(),
});
export type Begun = z.infer<typeof Begun>;

/** Where a server says that its users sign in. */
export interface Offer {
  issuer: string;
  metadata: AuthorizationServerMetadata;
  resource: string | undefined;
  scope: string | undefined;
}

/** Reads where a server's users sign in (RFC 9728, 8414). Rejects with the reason where it says of none. */
export const readOffer = async (
  { url, scope }: SignInServer,
  challenge: Challenge,
  fetchFn: FetchLike,
): Promise<Offer> => {
  const given = challenge.resource_metadata === undefined ? null : URL.parse(challenge.resource_metadata);
  const info = await discoverOAuthServerInfo(url, { fetchFn, ...(given !== null && { resourceMetadataUrl: given }) });
  const { authorizationServerMetadata: metadata, resourceMetadata } = info;
  if (metadata === undefined) throw new Error(`${info.authorizationServerUrl} does not say how to sign in there`);
  const resource = resourceMetadata?.resource;
  if (resource !== undefined && !checkResourceAllowed({ requestedResource: url, configuredResource: resource }))
    throw new Error('it describes itself as another resource');
  const wanted = challenge.scope ?? scope ?? resourceMetadata?.scopes_supported?.join(' ');
  const keeps =
    metadata.scopes_supported?.includes('offline_access') === true && wanted?.includes('offline_access') !== true;
  return {
    issuer: metadata.issuer,
    metadata,
    resource,
    scope: keeps ? [wanted, 'offline_access'].filter(Boolean).join(' ') : wanted,
  };
};

/**
 * The client for an issuer: the configured one, the one that is registered there already (`known`), or a new one. One that
 * was registered for fewer rights than are asked for now is registered anew.
 */
const clientFor = async (
  { client }: SignInServer,
  { issuer, metadata, scope }: Offer,
  redirect: string,
  known: Place | null,
  fetchFn: FetchLike,
): Promise<Place['client']> => {
  if (client !== undefined) return client;
  const isBound = known?.client.scope !== undefined && isStrictScopeSuperset(scope, known.client.scope);
  if (known !== null && !isBound) return known.client;
  const clientMetadata = {
    client_name: 'Tripact',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: new URL(redirect).protocol === 'https:' ? 'web' : 'native',
  };
  return registerClient(issuer, { metadata, clientMetadata, fetchFn, ...(scope !== undefined && { scope }) });
};

/**
 * Begins a sign-in: the address to send the browser to, and what finishes it. Uses PKCE; `state` comes back with the code.
 * Asks for the rights that the owner has, too, so that a demand for more loses none.
 */
export const beginSignIn = async (
  server: SignInServer,
  offer: Offer,
  { redirect, state, known }: { redirect: string; state: string; known: SignedIn | null },
  fetchFn: FetchLike,
): Promise<{ url: URL; begun: Begun }> => {
  const { issuer, metadata, resource } = offer;
  const before = known?.place.issuer === issuer ? known : null;
  const scope = computeScopeUnion(before?.tokens.scope, offer.scope);
  const client = await clientFor(server, { ...offer, scope }, redirect, before?.place ?? null, fetchFn);
  const { authorizationUrl: url, codeVerifier: verifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation: client,
    redirectUrl: redirect,
    state,
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
  });
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('its sign-in page is no web page');
  return {
    url,
    begun: {
      place: { issuer, metadata, client, ...(resource !== undefined && { resource }) },
      verifier,
      redirect,
      ...(scope !== undefined && { scope }),
    },
  };
};

/** Tokens as an issuer gave them. */
interface Given {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
  scope?: string | undefined;
}

/** Given tokens as they are stored. An issuer may leave out the scope where it is the one that was asked for. */
const tokensOf = (
  { access_token, refresh_token, expires_in, scope }: Given,
  asked: string | undefined,
  now: number,
): Tokens => {
  const rights = scope ?? asked;
  return {
    access_token,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(expires_in !== undefined && { expires_at: now + expires_in * 1_000 }),
    ...(rights !== undefined && { scope: rights }),
  };
};

/** Exchanges the code of a redirect for tokens. Rejects where the code came from another issuer. */
export const finishSignIn = async (
  { place, verifier, redirect, scope }: Begun,
  { code, iss }: { code: string; iss: string | undefined },
  now: number,
  fetchFn: FetchLike,
): Promise<SignedIn> => {
  const { issuer, metadata, client, resource } = place;
  const tokens = await exchangeAuthorization(issuer, {
    metadata,
    clientInformation: client,
    authorizationCode: code,
    codeVerifier: verifier,
    redirectUri: redirect,
    fetchFn,
    ...(iss !== undefined && { iss }),
    ...(resource !== undefined && { resource }),
  });
  return { place, tokens: tokensOf(tokens, scope, now) };
};

/** Renews the tokens; null: the owner has to sign in again. Rejects where the issuer cannot be reached. */
export const renewTokens = async (
  { place, tokens }: SignedIn,
  now: number,
  fetchFn: FetchLike,
): Promise<SignedIn | null> => {
  const { issuer, metadata, client, resource } = place;
  const { refresh_token: refreshToken } = tokens;
  if (refreshToken === undefined) return null;
  try {
    const given = await refreshAuthorization(issuer, {
      metadata,
      clientInformation: client,
      refreshToken,
      fetchFn,
      ...(resource !== undefined && { resource }),
    });
    return { place, tokens: { refresh_token: refreshToken, ...tokensOf(given, tokens.scope, now) } };
  } catch (error) {
    const isOver = error instanceof OAuthError && error.code !== OAuthErrorCode.ServerError;
    if (isOver) return null;
    throw error;
  }
};

/** Tells the issuer to forget the tokens (RFC 7009), where it has a place for that. Rejects where it cannot be reached. */
export const revokeTokens = async ({ place, tokens }: SignedIn, fetchFn: FetchLike): Promise<void> => {
  const { revocation_endpoint: endpoint } = place.metadata as { revocation_endpoint?: unknown };
  if (typeof endpoint !== 'string') return;
  const { client_id, client_secret } = place.client;
  const token = tokens.refresh_token ?? tokens.access_token;
  const body = new URLSearchParams({ token, client_id, ...(client_secret !== undefined && { client_secret }) });
  await fetchFn(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
};
