import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

/** A local token issuer that serves its public keys. */
export interface Issuer {
  readonly url: string;
  /** How often the keys were requested. */
  asked(): number;
  /** Signs a token with the newest key; `claims` override the usual ones, and undefined removes one. */
  sign(claims?: JWTPayload, header?: Record<string, unknown>): Promise<string>;
  /** Signs with a new key from now on, with its own name or the given one. Older keys are no longer served. */
  rotate(kid?: string): Promise<void>;
  /** From now on, answers requests for the keys by a status, or a body in their place. */
  answer(status: number, body?: string): void;
  /** The newest public key. */
  publicKey(): JWK;
}

/** The audience of its tokens. */
export const AUDIENCE = 'https://tripact.example';

/** Starts the issuer with one key; `hasDiscovery`: its discovery document has the address of the keys. */
export const startIssuer = async ({ hasDiscovery = true } = {}): Promise<Issuer> => {
  let count = 0;
  let keys = await generateKeyPair('ES256', { extractable: true });
  let kid = 'key-1';
  let jwk: JWK = {};
  let answer: { status: number; body?: string | undefined } = { status: 200 };
  const publish = async (): Promise<void> => {
    jwk = { ...(await exportJWK(keys.publicKey)), kid, alg: 'ES256', use: 'sig' };
  };
  await publish();
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      response.statusCode = hasDiscovery ? 200 : 404;
      return response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    }
    if (request.url !== (hasDiscovery ? '/keys' : '/.well-known/jwks.json')) {
      response.statusCode = 404;
      return response.end();
    }
    count += 1;
    response.statusCode = answer.status;
    return response.end(answer.body ?? JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked: () => count,
    sign: (claims = {}, header = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: url, aud: AUDIENCE, sub: 'ada', iat: now, exp: now + 300 };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid, ...header })
        .sign(keys.privateKey);
    },
    rotate: async (name = `key-${Number(kid.slice(4)) + 1}`) => {
      keys = await generateKeyPair('ES256', { extractable: true });
      kid = name;
      await publish();
    },
    answer: (status, body) => {
      answer = { status, body };
    },
    publicKey: () => jwk,
  };
};
