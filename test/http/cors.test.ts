import { describe, expect, it } from 'vitest';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask, send } from '../support/http/send-request.ts';
import { someSession, stubEngine } from '../support/http/stub-engine.ts';

const APP = 'https://app.example';
const [ada] = KEYS.map(({ key }) => key) as [string];

const open = (setup: Parameters<typeof startHttpOn>[1]) =>
  startHttpOn(
    stubEngine({
      sessions: async () => ({ items: [], next: null }),
      session: async () => someSession(0),
      followLive: async function* () {},
    }),
    setup,
  );

const preflight = {
  origin: APP,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'x-api-key',
};

describe.each([
  ['with keys', { apiKeys: KEYS }],
  ['without keys', {}],
])('%s', (_name, keys) => {
  const shown: Record<string, string> = 'apiKeys' in keys ? { 'x-api-key': ada } : {};

  it('no page of another origin may call, unless it is named', async () => {
    const { port } = await open(keys);
    const { headers } = await ask(port, '/v1/sessions', { headers: { origin: APP, ...shown } });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const refused = await ask(port, '/v1/sessions/s1/turns', { method: 'OPTIONS', headers: preflight });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it('a page that is named may, and reads the reply, errors and streams', async () => {
    const { port } = await open({ ...keys, corsOrigins: [APP] });
    const asked = await ask(port, '/v1/sessions/s1/turns', { method: 'OPTIONS', headers: preflight });
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': 'x-api-key',
      'access-control-max-age': '600',
    });
    expect(asked.headers['access-control-allow-credentials']).toBeUndefined();
    for (const path of ['/v1/sessions', '/v1/nothing', '/v1/sessions/s1/events']) {
      const { headers } = await send(port, path, { headers: { origin: APP, ...shown } });
      expect(headers).toMatchObject({
        'access-control-allow-origin': APP,
        'access-control-expose-headers': expect.stringContaining('retry-after'),
        vary: expect.stringContaining('Origin'),
      });
    }
  });

  it('a page that is not among those named may not', async () => {
    const { port } = await open({ ...keys, corsOrigins: [APP] });
    for (const origin of ['https://app.example.evil.test', 'http://app.example', 'null', 'https://app.example:8443']) {
      const { headers } = await ask(port, '/v1/sessions', { headers: { origin, ...shown } });
      expect(headers['access-control-allow-origin']).toBeUndefined();
      const asked = await ask(port, '/v1/sessions', { method: 'OPTIONS', headers: { ...preflight, origin } });
      expect(asked.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
