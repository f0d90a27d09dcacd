import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { hostileMcpServer } from '../support/hostile/mcp.ts';
import { longestBlock } from '../support/longest-block.ts';
import { connectSamples } from '../support/mcp/setup.ts';

/** How long each flood lasts, in milliseconds. */
const FLOOD_MS = 3_000;

/** Longest block that is let pass, in milliseconds: 50, and a collection of garbage. */
const BLOCKED_MS_MAX = 100;

/** What the process may take more while a flood lasts, in bytes: without a bound it is as much in each second. */
const GROWN_MAX = 300 * 1024 * 1024;

const floodOf = async (run: (call: { signal: AbortSignal }) => Promise<unknown>): Promise<void> => {
  const before = process.memoryUsage().rss;
  const blockedMs = await longestBlock(() => run({ signal: AbortSignal.timeout(FLOOD_MS) }).catch(() => undefined));
  expect(blockedMs).toBeLessThan(BLOCKED_MS_MAX);
  expect(process.memoryUsage().rss - before).toBeLessThan(GROWN_MAX);
};

it.each([
  'pours_empty_lines',
  'pours_prose',
  'pours_notifications',
  'pours_requests',
  'pours_errors',
  'floods_wrong_blocks',
] as const)('a program that %s is listened to no faster than others are served', { timeout: 60_000 }, async (flood) => {
  const mcp = await connectSamples({ evil: hostileMcpServer(flood) });
  await floodOf((call) => mcp.run('evil_go', '{}', call));
});

it.each(['pours_empty_lines', 'pours_prose'] as const)(
  'a program that %s is ended, its call says why, and the next one starts it anew',
  { timeout: 60_000 },
  async (flood) => {
    const mcp = await connectSamples({ evil: hostileMcpServer(flood) });
    for (let times = 0; times < 2; times += 1)
      expect(await mcp.run('evil_go', '{}')).toEqual({
        ok: false,
        result: expect.stringContaining('more than 10000 lines in a row are no message'),
      });
  },
);

it('a program that says without end that its tools changed is logged once', { timeout: 60_000 }, async () => {
  const mcp = await connectSamples({ evil: hostileMcpServer('changes_list') });
  await mcp.seen.saw('list 4');
  expect(mcp.names()).toEqual(['evil_go']);
  expect(mcp.seen.text().match(/offers tools/g)).toHaveLength(1);
  expect(mcp.seen.text().match(/left out/g)).toHaveLength(1);
});

/** Requests to the client, as events of a stream: 8 MB of them. */
const REQUESTS = 'data: {"jsonrpc":"2.0","id":"r","method":"ping"}\n\n'.repeat(160_000);

it('a server whose stream is nothing but requests is listened to no faster', { timeout: 60_000 }, async () => {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = body === '' ? {} : JSON.parse(body);
    const reply = (result: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    const serverInfo = { name: 'h', version: '1' };
    if (method === 'initialize') reply({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo });
    else if (method === 'tools/list') reply({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(REQUESTS);
    } else response.writeHead(id === undefined || method === undefined ? 202 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const mcp = await connectSamples({ evil: { url: `http://127.0.0.1:${port}/mcp` } });
  await floodOf((call) => mcp.run('evil_go', '{}', call));
});
