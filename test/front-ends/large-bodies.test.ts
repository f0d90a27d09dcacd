import { expect, it } from 'vitest';
import { ask } from '../support/http/send-request.ts';
import { startService } from '../support/service/service.ts';

const post = (url: string, body: string): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

it.each([
  ['/v1/chat/completions', 4],
  ['/v1/responses', 4],
  ['/agui', 4],
  ['/a2a', 1],
  ['/mcp', 1],
])('a body of %s that is longer than %i MiB is refused in the form of its protocol', async (path, mebibytes) => {
  const service = await startService([]);
  const refused = await post(service.url + path, `"${'a'.repeat(mebibytes * 1024 * 1024)}"`);
  const { error, type } = (await refused.json()) as { error?: object; type?: string };
  expect([refused.status, error ?? type]).toEqual([413, path === '/agui' ? 'RUN_ERROR' : expect.any(Object)]);
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
