import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { type Service, startService } from '../support/service/service.ts';

/** Half past eleven in the evening, UTC. */
const NOW = Date.parse('2026-01-05T23:30:00Z');

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });

const said = { messageId: 'm1', contextId: 'c1', role: 'ROLE_USER', parts: [{ text: 'Find a day' }] };

const requests: [string, string, object, Record<string, string>][] = [
  ['turns', '/v1/sessions/s1/turns', { input: 'Find a day' }, {}],
  ['chat completions', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Find a day' }] }, {}],
  ['responses', '/v1/responses', { input: 'Find a day' }, {}],
  ['streamed responses', '/v1/responses', { input: 'Find a day', stream: true }, {}],
  [
    'the AI SDK',
    '/api/chat',
    { id: 'c1', messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Find a day' }] }] },
    {},
  ],
  ['A2A', '/a2a', rpc('SendMessage', { message: said }), { 'a2a-version': '1.0' }],
  [
    'AG-UI',
    '/agui',
    { threadId: 't1', runId: 'r1', messages: [{ id: 'm1', role: 'user', content: 'Find a day' }] },
    {},
  ],
];

/** A service where the owner has no turns left today. */
const startSpent = async (): Promise<Service> => {
  const service = await startService([], {}, { now: () => NOW });
  await fetch(`${service.url}/v1/quotas/local`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ turns_per_day: 0 }),
  });
  return service;
};

it('a refusal for a spent quota says when the next day begins, in every protocol', async () => {
  const service = await startSpent();
  const asked = await Promise.all(
    requests.map(async ([name, path, body, headers]) => {
      const response = await service.post(path, body, headers);
      return [name, response.headers.get('retry-after'), (await response.text()).includes('turns a day')];
    }),
  );
  expect(asked).toEqual(requests.map(([name]) => [name, '1800', true]));
});

it('A2A has its own code for it, and says in its data when to try again', async () => {
  const service = await startSpent();
  for (const method of ['SendMessage', 'SendStreamingMessage']) {
    const reply = await service.post('/a2a', rpc(method, { message: said }), { 'a2a-version': '1.0' });
    const { error } = JSON.parse((await reply.text()).replace(/^[^{]*/, '')) as { error: object };
    expect(error).toMatchObject({
      code: -32_049,
      data: [{ metadata: { retry_after: '1800' } }],
    });
  }
});

it.each([
  [10, 200],
  [11, 413],
])('a request of %i messages to MCP is answered with %i', async (count, status) => {
  const service = await startService([]);
  const batch = Array.from({ length: count }, (_, id) => ({ ...rpc('tools/list', {}), id }));
  const accept = { accept: 'application/json, text/event-stream' };
  const reply = await service.post('/mcp', batch, accept);
  expect(reply.status).toBe(status);
  expect((await reply.text()).match(/"tools":\[/g) ?? []).toHaveLength(status === 200 ? count : 0);
});

it.each([['newer'], ['older']])(
  'so does one that an MCP client of the %s era gets as a tool result, beside the reason',
  async (era) => {
    const service = await startSpent();
    const retryAfter: string[] = [];
    const client = new Client(
      { name: 'host', version: '1' },
      era === 'newer' ? { versionNegotiation: { mode: 'auto' } } : {},
    );
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const after = response.headers.get('retry-after');
        if (after !== null) retryAfter.push(after);
        return response;
      },
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const result = await client.callTool({ name: 'run', arguments: { goal: 'Find a day' } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('turns a day') }],
    });
    expect(result._meta).toMatchObject({ 'tripact/retry-after': 1_800 });
    if (era === 'newer') expect(retryAfter).toEqual(['1800']);
    // A command is no turn of the quota.
    expect(await client.callTool({ name: 'todo', arguments: { command: 'list' } })).not.toHaveProperty('isError', true);
  },
);

it('an image by its address is refused by a sentence, in every protocol, and nothing is fetched', async () => {
  const service = await startService([]);
  const text = { type: 'text', text: 'What is this?' };
  const role = 'user';
  const image = 'http://127.0.0.1/a.png';
  const message = { messageId: 'm1', contextId: 'c1', role: 'ROLE_USER', parts: [text, { url: image }] };
  for (const [url, body] of [
    [
      '/v1/chat/completions',
      { messages: [{ role, content: [text, { type: 'image_url', image_url: { url: image } }] }] },
    ],
    ['/v1/responses', { input: [{ role, content: [text, { type: 'input_image', image_url: image }] }] }],
    [
      '/api/chat',
      { id: 'c1', messages: [{ role, parts: [text, { type: 'file', mediaType: 'image/png', url: image }] }] },
    ],
    [
      '/agui',
      {
        threadId: 't',
        runId: 'r',
        messages: [{ role, content: [text, { type: 'image', source: { type: 'url', value: image } }] }],
      },
    ],
    ['/a2a', rpc('SendMessage', { message })],
  ] as const) {
    const refused = await service.post(url, body, { 'a2a-version': '1.0' });
    expect([url, await refused.text()]).toEqual([url, expect.stringContaining('Files are taken only as data')]);
  }
  expect(await service.get('/v1/sessions')).toMatchObject({ sessions: [] });
});

it('an address with a trailing slash is the same address, in every protocol', async () => {
  const service = await startService([]);
  const initialize = rpc('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  });
  const accept = { accept: 'application/json, text/event-stream' };
  const mcp: (typeof requests)[number] = ['MCP', '/mcp', initialize, accept];
  for (const [name, path, body, headers] of [...requests.slice(1), mcp]) {
    const response = await service.post(`${path}/`, body, headers);
    await response.body?.cancel();
    expect([name, response.status]).not.toEqual([name, 404]);
  }
  for (const path of ['/v1/models', '/.well-known/agent-card.json'])
    expect(await service.get(`${path}/`)).toEqual(await service.get(path));
});
