import { expect, it } from 'vitest';
import { builtConsole, PAGE } from '../support/http/built-console.ts';
import { startHttpOn } from '../support/http/http-app.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

it("is found at its proxy's address, which a proxy of this machine or network alone can say", async () => {
  const { http } = await startHttpOn(stubEngine({}), { protocols: ['a2a'], allowedHosts: ['tripact.example'] });
  const addressFor = async (remoteAddress: string, headers: Record<string, string>): Promise<string> => {
    const url = '/.well-known/agent-card.json';
    const card = await http.inject({ url, remoteAddress, headers: { host: 'tripact.example:8787', ...headers } });
    return card.json<{ supportedInterfaces: { url: string }[] }>().supportedInterfaces[0]!.url;
  };
  const tls = { 'x-forwarded-proto': 'https' };
  expect(await addressFor('127.0.0.1', {})).toBe('http://tripact.example:8787/a2a');
  for (const proxy of ['127.0.0.1', '::1', '172.18.0.3', 'fd00::7']) {
    expect(await addressFor(proxy, tls)).toBe('https://tripact.example:8787/a2a');
    expect(await addressFor(proxy, { ...tls, 'x-forwarded-host': 'agent.example' })).toBe('https://agent.example/a2a');
  }
  expect(await addressFor('203.0.113.5', { ...tls, 'x-forwarded-host': 'x.example' })).toBe(
    'http://tripact.example:8787/a2a',
  );
});

it.each(['', '/agent'])('is found below the prefix of its proxy, which passes on requests as %s/…', async (passed) => {
  const parts = { protocols: ['a2a'] as const, findConsole: builtConsole(), prefix: '/agent' };
  const { http } = await startHttpOn(stubEngine({}), parts);
  const get = (url: string, headers = {}) =>
    http.inject({ url: passed + url, headers: { host: 'localhost', ...headers } });
  const [{ url }] = (await get('/.well-known/agent-card.json')).json().supportedInterfaces;
  expect(url).toBe('http://localhost/agent/a2a');
  expect((await get('/', { accept: 'text/html' })).headers['location']).toBe('/agent/console/');
  const page = await get('/console/sessions/s1');
  expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-security-policy': expect.any(String) });
  expect(page.body).toBe(PAGE.replaceAll('/console/', '/agent/console/'));
  expect((await get('/console/assets/main-abc.js')).statusCode).toBe(200);
  expect((await get('/healthz')).statusCode).toBe(200);
  expect((await http.inject({ url: '/agents/healthz', headers: { host: 'localhost' } })).statusCode).toBe(404);
});
