import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpFetch } from '../../src/models/http/http-fetch.ts';
import { createPacedFetch } from '../../src/paced-fetch.ts';
import { type LocalServer, serve } from '../support/http/local-server.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';

/** Has the environment name a proxy, as Node's own `fetch` is told of one. */
const proxyBy = (origin: string, others: Record<string, string> = {}): void => {
  const named = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: origin, HTTPS_PROXY: origin, NO_PROXY: '', ...others };
  // A lower-case one, which may be there, comes first.
  for (const [name, value] of Object.entries(named)) {
    vi.stubEnv(name, value);
    if (name.endsWith('_PROXY') && name !== 'NODE_USE_ENV_PROXY') vi.stubEnv(name.toLowerCase(), value);
  }
  onTestFinished(() => void vi.unstubAllEnvs());
};

const startProxy = (): Promise<LocalServer> => serve(({ url }, response) => response.end(`for ${url}`));

it.each([
  ['an MCP server or an issuer', createPacedFetch],
  ['a model', () => createHttpFetch(10_000)],
])('a request to %s goes by the proxy of the environment where Node is told to use it', async (_whose, make) => {
  const proxy = await startProxy();
  proxyBy(proxy.origin);
  const request = { method: 'POST', headers: new Headers({ 'x-a': 'b' }), body: 'ask' };
  const response = await make()('http://server.example/mcp?a=1', request);
  expect(await response.text()).toBe('for http://server.example/mcp?a=1');
  expect(proxy.seen).toMatchObject([{ method: 'POST', body: 'ask', headers: { host: 'server.example', 'x-a': 'b' } }]);
});

it('a request of https goes through a tunnel of the proxy', async () => {
  const asked = Promise.withResolvers<string>();
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    asked.resolve(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  proxyBy(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  await expect(createPacedFetch()('https://server.example/mcp')).rejects.toThrow();
  expect(await asked.promise).toBe('server.example:443');
});

it('a request goes straight to a server that NO_PROXY names, and to all where Node is not told to use a proxy', async () => {
  const [proxy, server] = await Promise.all([startProxy(), serve((_request, response) => response.end('here'))]);
  const asked = async (): Promise<string> => (await createPacedFetch()(server.origin)).text();
  proxyBy(proxy.origin, { NO_PROXY: '127.0.0.1' });
  expect(await asked()).toBe('here');
  proxyBy(proxy.origin, { NODE_USE_ENV_PROXY: '' });
  expect(await asked()).toBe('here');
  expect(proxy.seen).toEqual([]);
});

it(
  'an answer whose trailers never end is read over turns of the event loop, by a proxy too',
  MEASURED_AGAIN,
  async () => {
    const { origin } = await serve((_request, { socket }) => {
      socket?.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(40_000)}`);
    });
    const blockedMs = async (url: string): Promise<number> => {
      const fetch = createPacedFetch();
      return longestBlock(async () => {
        await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
      });
    };
    expect(await blockedMs(origin)).toBeLessThan(40);
    proxyBy(origin);
    expect(await blockedMs('http://server.example')).toBeLessThan(40);
  },
);
