import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** A real OAuth server: clients register themselves, users sign in by any name, and tokens can be renewed and revoked. */
export interface OAuthServer {
  issuer: string;
  /** The requests that it got, as `POST /token`. */
  asked: string[];
  /** The access tokens that were shown to it. */
  tokens: string[];
  /** Whose token it is, and its scopes; null: nobody's. */
  userOf(token: string): Promise<{ user: string; scopes: string[] } | null>;
  /** Holds the next request for tokens, which is never answered. Resolves once it has come. */
  holdToken(): Promise<void>;
}

const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Starts one; `tokenSeconds` is how long an access token is good. */
export const startOAuthServer = async ({ tokenSeconds = 3_600 } = {}): Promise<OAuthServer> => {
  const asked: string[] = [];
  const tokens: string[] = [];
  let held: (() => void) | null = null;
  let provider: Provider | null = null;
  const issuer = await listen((request, response) => {
    const path = (request.url ?? '').split('?')[0];
    asked.push(`${request.method} ${path}`);
    if (path === '/token' && held !== null) {
      held();
      held = null;
      return;
    }
    provider?.callback()(request, response);
  });
  provider = new Provider(issuer, {
    pkce: { required: () => true },
    scopes: ['openid', 'offline_access', 'mail', 'mail.admin'],
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({ scope: 'mail mail.admin', accessTokenFormat: 'opaque' }),
        useGrantedResource: () => true,
      },
    },
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
    issueRefreshToken: () => true,
    ttl: { AccessToken: tokenSeconds, Session: 3_600, Grant: 3_600, Interaction: 3_600, RefreshToken: 3_600 },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  return {
    issuer,
    asked,
    tokens,
    userOf: async (token) => {
      tokens.push(token);
      const found = await provider?.AccessToken.find(token);
      return found === undefined ? null : { user: found.accountId, scopes: found.scope?.split(' ') ?? [] };
    },
    holdToken: () =>
      new Promise((resolve) => {
        held = resolve;
      }),
  };
};
