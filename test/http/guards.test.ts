import { describe, expect, it } from 'vitest';
import { startHttpOn } from '../support/http/http-app.ts';
import { ask, dial, untilHangup } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

describe('on loopback without keys', () => {
  it('a Host of this machine is served, and another one refused, also for unknown paths', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:9', '[::1]', '[::ffff:127.0.0.1]:9', '[::ffff:7f00:1]'])
      expect((await ask(port, '/v1/contracts', { headers: { host } })).status, host).toBe(200);
    const others = [
      'localhost.evil.test',
      '127.0.0.1.evil.test',
      'evil.test:127',
      '192.168.0.1',
      'localhost@evil.test',
      '[::ffff:192.168.0.1]',
      '[::2]:1',
      '127.evil.test',
    ];
    for (const path of ['/v1/contracts', '/nothing'])
      for (const host of others) {
        const { problem } = await ask(port, path, { headers: { host } });
        expect(problem, host).toMatchObject({ status: 403, type: '/problems/forbidden-host' });
      }
  });

  it('no Host at all is refused', async () => {
    const { port } = await startHttpOn(stubEngine({}));
    expect(await untilHangup(await dial(port, 'GET /healthz HTTP/1.0\r\n\r\n'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await untilHangup(await dial(port, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'))).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });
});

describe('elsewhere', () => {
  it('any Host is served beyond loopback, and pages of other origins are still refused', async () => {
    const { port } = await startHttpOn(stubEngine({}), { host: '0.0.0.0' });
    expect((await ask(port, '/v1/contracts', { headers: { host: 'tripact.internal' } })).status).toBe(200);
    const headers = { host: 'tripact.internal', origin: 'http://evil.test' };
    expect((await ask(port, '/v1/contracts', { headers })).status).toBe(403);
  });

  it.each(['0.0.0.0', '127.0.0.1'])(
    'on %s the names that are allowed are served, and loopback; no others',
    async (at) => {
      const { port } = await startHttpOn(stubEngine({}), { host: at, allowedHosts: ['tripact.internal'] });
      const statusOf = async (host: string): Promise<number> =>
        (await ask(port, '/v1/contracts', { headers: { host } })).status;
      for (const host of ['tripact.internal', 'Tripact.Internal:8787', 'localhost:8787', '[::1]', '127.0.0.1'])
        expect([host, await statusOf(host)]).toEqual([host, 200]);
      for (const host of ['tripact.internal.evil.test', 'x-tripact.internal', '10.0.0.1'])
        expect([host, await statusOf(host)]).toEqual([host, 403]);
    },
  );
});
