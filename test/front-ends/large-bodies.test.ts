import { expect, it } from 'vitest';
import { startService } from '../support/service/service.ts';

const ADDRESSES = ['/v1/chat/completions', '/a2a', '/mcp'];

const shapes = {
  'many keys': `{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'many arrays': `[${'[],'.repeat(500_000)}[]]`,
  'deep arrays': '['.repeat(1_500_000),
};

it('a body of too many values is refused in the form of its protocol, before it is parsed', async () => {
  const service = await startService([]);
  for (const url of ADDRESSES)
    for (const body of Object.values(shapes)) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(service.url + url, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toMatchObject([413, { error: {} }]);
    }
});

it('a call of MCP has at most half a megabyte: its ids and names are repeated', async () => {
  const service = await startService([]);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const call = (id: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
    return fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
  };
  expect((await call('i'.repeat(500_000))).status).toBe(200);
  expect((await call('i'.repeat(1_900_000))).status).toBe(413);
});
