import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { sendJson, serve } from '../support/http/local-server.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';
import { NO_ANSWERS, NOT_VALID } from '../support/mcp/no-answers.ts';
import { connectSamples, type SampleTools } from '../support/mcp/setup.ts';

const GO = { name: 'go', description: 'Goes.', inputSchema: { type: 'object' } };

/** Answers a call; `id` is the request's. */
type Answer = (response: ServerResponse, id: number) => void;

/** Connects to a server of the earlier era that answers in its own way. */
const connectTo = async (
  tools: unknown[],
  answer: Answer = (response) => response.end(),
  get = (response: ServerResponse): unknown => response.writeHead(405).end(),
  headers: Record<string, string> = {},
): Promise<SampleTools> => {
  const { origin } = await serve(({ method: verb, body }, response) => {
    if (verb !== 'POST') return get(response);
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return response.writeHead(202).end();
    const reply = (said: object): void => sendJson(response, { jsonrpc: '2.0', id, ...said });
    const serverInfo = { name: 'odd', version: '1' };
    if (method === 'initialize')
      return reply({ result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } });
    if (method === 'tools/list') return reply({ result: { tools } });
    if (method === 'tools/call') return answer(response, id);
    reply({ error: { code: -32601, message: 'no such method' } });
  });
  return connectSamples({ odd: { url: `${origin}/mcp`, headers } });
};

it.each([
  ['whose properties are null', { ...GO, name: 'bad', inputSchema: { type: 'object', properties: null } }, 'bad'],
  ['with a number as its description', { ...GO, name: 'bad', description: 5 }, 'bad'],
  ['without a schema', { name: 'bad' }, 'bad'],
  ['without a name', { inputSchema: { type: 'object' } }, '#1'],
  ['that is null', null, '#1'],
])('a tool %s is left out by its name, and the others of its server are offered', async (_what, bad, label) => {
  const mcp = await connectTo([bad, GO]);
  expect(mcp.names()).toEqual(['odd_go']);
  expect(mcp.seen.text()).toMatch(new RegExp(`"level":40.*"tools":\\["${label}"\\].*left out`));
});

it('what is not used of a tool may be anything', async () => {
  const odd = { ...GO, icons: 'none', outputSchema: 7, execution: [], _meta: null };
  const mcp = await connectTo([odd], (response, id) =>
    sendJson(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'gone' }] } }),
  );
  expect(await mcp.run('odd_go')).toEqual({ ok: true, result: 'gone' });
});

it('a long result shows no part of a secret of its server where it is cut', async () => {
  const token = 'tok-4711-secret';
  const text = `${'x'.repeat(9_960)}${token}${'y'.repeat(10_000)}`;
  const mcp = await connectTo(
    [GO],
    (response, id) => sendJson(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }),
    undefined,
    { 'x-token': token },
  );
  const { result } = await mcp.run('odd_go');
  expect(result).toMatch(/… \[cut, \d+ characters in all\]$/);
  expect(result).not.toContain('tok-');
});

it('a server that hangs up at each call has one line a minute in the log', async () => {
  const mcp = await connectTo([GO], (response) => response.destroy());
  for (let calls = 0; calls < 5; calls += 1) expect(await mcp.run('odd_go')).toMatchObject({ ok: false });
  expect(mcp.seen.text().match(/the MCP server disconnected/g)).toHaveLength(1);
});

it('what a tool says of itself shows no secret of its server', async () => {
  const token = 'tok-4711-secret';
  const properties = { to: { type: 'string', description: `as ${token}` } };
  const said = { ...GO, description: `Goes with ${token}.`, inputSchema: { type: 'object', properties } };
  const mcp = await connectTo([said], undefined, undefined, { 'x-token': token });
  const { description, usage } = mcp.tool('odd_go');
  expect(description).toBe('Goes with [redacted].');
  expect(usage).not.toContain(token);
});

const EVENTS = { 'content-type': 'text/event-stream' };

/** Writes notifications as fast as they are read, until the other side hangs up. */
const pour = (response: ServerResponse): void => {
  const more = (): void => {
    while (!response.destroyed && response.write('data: {"jsonrpc":"2.0","method":"notifications/none"}\n\n'));
  };
  response.on('drain', more);
  more();
};

it('a response that never ends is read no longer than its call lasts', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const mcp = await connectTo([GO], (response) => {
    pour(response.writeHead(200, EVENTS));
    asked.resolve(response);
  });
  const ending = new AbortController();
  const call = mcp.run('odd_go', '{}', { signal: ending.signal });
  const closed = once(await asked.promise, 'close');
  ending.abort(new Error('too slow'));
  await expect(call).rejects.toThrow('too slow');
  await closed;
});

it('a response that goes on behind its result is read no further', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const mcp = await connectTo([GO], (response, id) => {
    response.writeHead(200, EVENTS).write(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`);
    pour(response);
    asked.resolve(response);
  });
  const closed = asked.promise.then((response) => once(response, 'close'));
  expect(await mcp.run('odd_go')).toMatchObject({ ok: true });
  await closed;
});

it.each<[string, Answer]>([
  ['202', (response) => response.writeHead(202).end()],
  ['nothing', (response) => sendJson(response, [])],
  [
    'the answer to another call',
    (response) => sendJson(response, { jsonrpc: '2.0', id: 999, result: { content: [] } }),
  ],
  ['a stream that ends without an answer', (response) => response.writeHead(200, EVENTS).end(': nothing\n\n')],
  [
    'a stream that breaks off',
    (response) => response.writeHead(200, EVENTS).write(': nothing\n\n', () => response.destroy()),
  ],
])('a call that is answered by %s is waited for no longer, and the next one is made', async (_what, answer) => {
  const answers = [answer];
  const mcp = await connectTo([GO], (response, id) =>
    (answers.shift() ?? (() => sendJson(response, { jsonrpc: '2.0', id, result: { content: [] } })))(response, id),
  );
  const { ok, result } = await mcp.run('odd_go');
  expect(ok).toBe(false);
  expect(result).toBe(
    'the MCP server "odd" was lost during the call: its response ended without an answer; outcome unknown, it may have taken effect',
  );
  expect(await mcp.run('odd_go')).toMatchObject({ ok: true });
});

it.each(NO_ANSWERS)('a call that is answered with %s fails at once', async (said) => {
  const whole: Answer = (response, id) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"jsonrpc":"2.0","id":${id},${said}}`);
  const streamed: Answer = (response, id) =>
    response.writeHead(200, EVENTS).write(`data: {"jsonrpc":"2.0","id":${id},${said}}\n\n`);
  for (const answer of [whole, streamed]) {
    const mcp = await connectTo([GO], answer);
    expect(await mcp.run('odd_go')).toEqual({ ok: false, result: NOT_VALID });
    expect(mcp.servers()).toMatchObject([{ state: 'connected' }]);
  }
});

it.each(['"params":[]', '"id":null', '"params":{"_meta":7}'])(
  'a notification with %s, which breaks the protocol, ends no call',
  async (odd) => {
    const mcp = await connectTo([GO], (response, id) => {
      response.writeHead(200, EVENTS).write(`data: {"jsonrpc":"2.0","method":"notifications/none",${odd}}\n\n`);
      response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`);
    });
    expect(await mcp.run('odd_go')).toMatchObject({ ok: true });
  },
);

it('a response whose trailers never end is read over turns of the event loop', MEASURED_AGAIN, async () => {
  const mcp = await connectTo([GO], ({ socket }) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    socket?.write(`${head}2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(40_000)}`);
  });
  const blockedMs = await longestBlock(async () => {
    expect(await mcp.run('odd_go')).toMatchObject({ ok: false });
  });
  expect(blockedMs).toBeLessThan(40);
});

/** Opens the stream that a server may send changes by, and gives when it was opened, each time. */
const streamAsking = async (retry: string): Promise<{ mcp: SampleTools; opened: number[]; again: Promise<void> }> => {
  const opened: number[] = [];
  const again = Promise.withResolvers<void>();
  const gone: Answer = (response, id) => sendJson(response, { jsonrpc: '2.0', id, result: { content: [] } });
  const mcp = await connectTo([GO], gone, (response) => {
    opened.push(performance.now());
    if (opened.length === 2) again.resolve();
    response.writeHead(200, EVENTS).end(`retry: ${retry}\n\n`);
  });
  return { mcp, opened, again: again.promise };
};

it('a stream that ends, and asks to be opened again at once, is after a second', async () => {
  const { opened, again } = await streamAsking('0');
  await again;
  const [first = 0, second = 0] = opened;
  expect(second - first).toBeGreaterThan(900);
});

it('a stream that asks to be opened again later than a timer can wait is not opened again and again', async () => {
  const { mcp, opened } = await streamAsking('99999999999');
  for (let i = 0; i < 30; i += 1) await mcp.run('odd_go');
  expect(opened).toHaveLength(1);
});

it.each<[string, Answer, string]>([
  ['a list that holds nothing', (response) => sendJson(response, [[]]), 'not valid JSON-RPC; outcome unknown'],
  ['a text', (response) => sendJson(response, 'done'), 'not valid JSON-RPC; outcome unknown'],
  ['500 and a page', (response) => response.writeHead(500).end('<p>broken'), 'HTTP 500 <p>broken; outcome unknown'],
  ['401 without a word', (response) => response.writeHead(401).end(), 'HTTP 401; nothing was called'],
  [
    'an unknown status',
    ({ socket }) => socket?.write('HTTP/1.1 999 \r\ncontent-length: 0\r\n\r\n'),
    'HTTP 999; outcome unknown',
  ],
])('a call that is answered by %s fails with a sentence', async (_what, answer, reason) => {
  const mcp = await connectTo([GO], answer);
  const { ok, result } = await mcp.run('odd_go');
  expect(ok).toBe(false);
  expect(result).toContain(`: ${reason}`);
});
