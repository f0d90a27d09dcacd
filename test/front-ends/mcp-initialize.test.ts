import { expect, it } from 'vitest';
import { startService } from '../support/service/service.ts';

const RIGHT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } };

it('a client of the earlier era that does not say rightly who it is is told so', async () => {
  const service = await startService([]);
  const initialize = async (params: unknown) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params });
    return (await fetch(`${service.url}/mcp`, { method: 'POST', headers, body })).text();
  };
  for (const clientInfo of ['host', null, {}, { name: 1, version: 'x' }]) {
    const { id, error } = JSON.parse(await initialize({ ...RIGHT, clientInfo }));
    expect({ id, error }).toMatchObject({
      id: 7,
      error: { code: -32602, message: expect.stringContaining('params.clientInfo') },
    });
  }
  expect(await initialize(undefined)).toContain('-32602');
  expect(await initialize(RIGHT)).toContain('"serverInfo":{"name":"tripact"');
});
