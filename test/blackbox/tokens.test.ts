import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { AUDIENCE, type Issuer, startIssuer } from '../support/access/issuer.ts';
import { startService } from '../support/service/service.ts';

const serve = async (issuer: Issuer, env: Record<string, string> = {}) => {
  const tokens = { TRIPACT_JWT_ISSUER: issuer.url, TRIPACT_JWT_AUDIENCE: AUDIENCE };
  const { url } = await startService([], { ...tokens, ...env });
  return async (path: string, token?: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(url + path, { headers });
    const body = response.headers.get('content-type')?.includes('json')
      ? ((await response.json()) as Record<string, unknown>)
      : {};
    return { status: response.status, body };
  };
};

describe('a service that takes the tokens of an issuer', () => {
  it('lets in who shows one, as owner, user or operator, and nobody else', async () => {
    const issuer = await startIssuer();
    const get = await serve(issuer, { TRIPACT_JWT_ROLE_CLAIM: 'role' });
    expect((await get('/v1/sessions')).status).toBe(401);
    expect((await get('/v1/sessions', await issuer.sign({ aud: 'other' }))).status).toBe(401);
    expect((await get('/v1/sessions', await issuer.sign())).status).toBe(200);
    expect((await get('/metrics', await issuer.sign())).status).toBe(403);
    expect((await get('/metrics', await issuer.sign({ role: 'operator' }))).status).toBe(200);
  });
});

it('an issuer without an audience, or an audience without an issuer, stops the start', () => {
  const issuer = 'https://id.example';
  expect(() => loadConfig({ TRIPACT_JWT_ISSUER: issuer })).toThrow(/needs TRIPACT_JWT_AUDIENCE/);
  expect(() => loadConfig({ TRIPACT_JWT_AUDIENCE: 'x' })).toThrow(/need TRIPACT_JWT_ISSUER/);
});
