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

  it('tells MCP clients where they are issued, and only then', async () => {
    const issuer = await startIssuer();
    const tokens = { TRIPACT_JWT_ISSUER: issuer.url, TRIPACT_JWT_AUDIENCE: AUDIENCE };
    const { url } = await startService([], tokens);
    const refused = await fetch(`${url}/mcp`, { method: 'POST' });
    expect(refused.status).toBe(401);
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect(metadata).toBe(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: `${url}/mcp`,
      authorization_servers: [issuer.url],
      bearer_methods_supported: ['header'],
    });
    expect((await fetch(`${url}/v1/sessions`)).headers.get('www-authenticate')).toBe('Bearer realm="tripact"');
    const plain = await startService([], { TRIPACT_API_KEYS: 'ada:ada-key-0123456789' });
    expect((await fetch(`${plain.url}/mcp`, { method: 'POST' })).headers.get('www-authenticate')).not.toContain(
      'metadata',
    );
    expect((await fetch(`${plain.url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
  });
});

it('an issuer without an audience, or an audience without an issuer, stops the start', () => {
  const issuer = 'https://id.example';
  expect(() => loadConfig({ TRIPACT_JWT_ISSUER: issuer })).toThrow(/needs TRIPACT_JWT_AUDIENCE/);
  expect(() => loadConfig({ TRIPACT_JWT_AUDIENCE: 'x' })).toThrow(/need TRIPACT_JWT_ISSUER/);
});
