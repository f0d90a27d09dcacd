import { expect, it } from 'vitest';
import { ask } from '../support/http/send-request.ts';
import { startService } from '../support/service/service.ts';

const ADDRESSES = ['/v1/chat/completions', '/a2a', '/mcp'];

const json = { 'content-type': 'application/json' };
const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', headers: json, body });

const shapes = {
  'many keys': `{${Array.from({ length: 150_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'many arrays': `[${'[],'.repeat(500_000)}[]]`,
  'deep arrays': '['.repeat(1_500_000),
};

it('a body of too many values is refused in the form of its protocol, before it is parsed', async () => {
  const service = await startService([]);
  for (const url of ADDRESSES)
    for (const body of Object.values(shapes)) {
      const response = await post(service.url + url, body);
      expect([response.status, await response.json()]).toMatchObject([413, { error: {} }]);
    }
});

it('a call of MCP has at most half a megabyte: its ids and names are repeated', async () => {
  const service = await startService([]);
  const headers = { ...json, accept: 'application/json, text/event-stream' };
  const call = (id: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
    return fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
  };
  expect((await call('i'.repeat(500_000))).status).toBe(200);
  expect((await call('i'.repeat(1_900_000))).status).toBe(413);
});

const lists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const answer = (levels: number) =>
  `{"threadId":"t","runId":"r","resume":[{"interruptId":"q","status":"resolved","payload":${lists(levels)}}]}`;
const state = (levels: number) =>
  `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"/help"}],"state":{"x":${lists(levels)}}}`;
const output = (levels: number) =>
  `{"id":"c","messages":[{"id":"m","role":"assistant","parts":[{"type":"tool-ask_user","toolCallId":"q","state":"output-available","output":${lists(levels)}}]}]}`;

it.each([
  ['an answer of AG-UI', '/agui', answer, 400],
  ['the state of AG-UI', '/agui', state, 200],
  ['an answer of the AI SDK', '/api/chat', output, 409],
])('%s may be nested 900 levels deep, and is refused with 6,000', async (_name, url, bodyOf, status) => {
  const service = await startService([]);
  const deep = await post(service.url + url, bodyOf(6_000));
  expect([deep.status, await deep.text()]).toEqual([413, expect.stringContaining('1000 levels')]);
  const shallow = await post(service.url + url, bodyOf(900));
  expect([shallow.status, await shallow.text()]).toEqual([status, expect.any(String)]);
});

it('a refusal names a few faults, however many there are', async () => {
  const service = await startService([]);
  const pairs = Array.from({ length: 9_000 }, (_, i) => [`${'k'.repeat(70)}${i}`, 1]);
  const metadata = JSON.stringify({ input: '/help', metadata: Object.fromEntries(pairs) });
  const entries = JSON.stringify({
    threadId: 't',
    runId: 'r',
    resume: Array(100).fill({ interruptId: 1, status: '?' }),
  });
  for (const [url, body] of [
    ['/v1/responses', metadata],
    ['/agui', entries],
  ] as const) {
    const refused = await post(service.url + url, body);
    expect([refused.status, (await refused.text()).length]).toEqual([
      400,
      expect.toSatisfy((length) => length < 1_200),
    ]);
  }
});

it('a call of MCP is answered whatever its Host says', async () => {
  const service = await startService([]);
  const headers = { host: '127.0.0.1:99999', accept: 'application/json, text/event-stream' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await ask(Number(new URL(service.url).port), '/mcp', { headers, body })).status).toBe(200);
});
