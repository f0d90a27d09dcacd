import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { sendJson, serve } from '../support/http/local-server.ts';
import { type HttpSample, serveSample } from '../support/mcp/http-server.ts';
import { connectSamples } from '../support/mcp/setup.ts';

const TOKEN = 'tok-4711-secret';

const connectTo = (sample: HttpSample, headers: Record<string, string> = {}) =>
  connectSamples({ web: { url: sample.url, headers } }, { backoff: { firstMs: 5, factor: 1 } });

describe('an MCP server over HTTP', () => {
  it('gives its tools, and gets the configured headers', async () => {
    const sample = await serveSample();
    const mcp = await connectTo(sample, { Authorization: `Bearer ${TOKEN}` });
    expect(await mcp.run('web_add', '{"a": 2, "b": 3}')).toEqual({ ok: true, result: '5' });
    expect(sample.lastHeaders().authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('that repeats a secret header in an error gets it into no result and no log', async () => {
    const sample = await serveSample();
    const mcp = await connectTo(sample, { Authorization: `Bearer ${TOKEN}` });
    sample.next('tools/call', (response) => response.writeHead(403).end(`not for Bearer ${TOKEN} or ${TOKEN}`));
    const { ok, result } = await mcp.run('web_echo', 'hi');
    expect(ok).toBe(false);
    expect(result).toMatch(/"web" could not be called: .*not for \[redacted\] or \[redacted\]; nothing was called/);
    expect(mcp.seen.text()).not.toContain(TOKEN);
  });

  it('that stops during a call leaves the outcome unknown, and is used again when it is back, with its new tools', async () => {
    const states = new EventEmitter();
    const sample = await serveSample({ onSlow: (state) => states.emit(state) });
    const mcp = await connectTo(sample);
    const started = once(states, 'started');
    const running = mcp.run('web_slow');
    await started;
    await sample.stop();
    const lost = await running;
    expect(lost.ok).toBe(false);
    expect(lost.result).toMatch(/"web" was lost during the call: .*; outcome unknown, it may have taken effect/);

    const down = await mcp.run('web_add', '{"a": 1, "b": 1}');
    expect(down.ok).toBe(false);
    expect(down.result).toMatch(/"web" (could not be called|is down): .*ECONNREFUSED.*; nothing was called/);
    expect(mcp.names()).toContain('web_add');

    sample.update({ hasMore: true });
    await sample.start();
    await expect.poll(() => mcp.run('web_add', '{"a": 1, "b": 1}')).toEqual({ ok: true, result: '2' });
    expect(await mcp.run('web_more')).toEqual({ ok: true, result: 'here' });
  });

  it('that cannot be reached at start is left out, and its tools appear once it is up', async () => {
    const sample = await serveSample();
    await sample.stop();
    const mcp = await connectTo(sample);
    expect(mcp.names()).toEqual([]);
    expect(mcp.seen.text()).toMatch(/"level":40.*"mcp_server":"web".*ECONNREFUSED.*cannot be reached/);
    await sample.start();
    await mcp.seen.saw('connected to the MCP server');
    expect(mcp.names()).toContain('web_echo');
  });

  it('that announces other tools has them at once', async () => {
    const sample = await serveSample();
    const mcp = await connectTo(sample);
    expect(mcp.names()).not.toContain('web_more');
    sample.update({ hasMore: true });
    await mcp.seen.saw('web_more');
    expect(mcp.names()).toContain('web_more');
  });

  it('that forgot the session is connected to anew and called again, once', async () => {
    const sample = await serveSample();
    const mcp = await connectTo(sample);
    sample.next('tools/call', (response) => response.writeHead(404).end('Session not found'));
    expect(await mcp.run('web_echo', 'still here')).toEqual({ ok: true, result: 'you said still here' });
    expect(sample.asked.filter((method) => method === 'tools/call')).toHaveLength(2);
    expect(sample.asked.filter((method) => method === 'tools/list')).toHaveLength(2);
  });

  it('cannot send the request with its headers on to another address', async () => {
    const elsewhere = await serve((_request, response) => sendJson(response, {}));
    const sample = await serveSample();
    const mcp = await connectTo(sample, { Authorization: `Bearer ${TOKEN}` });
    sample.next('tools/call', (response) => response.writeHead(307, { location: `${elsewhere.origin}/mcp` }).end());
    expect((await mcp.run('web_echo', 'x')).ok).toBe(false);
    expect(elsewhere.seen).toEqual([]);
  });

  it.each([
    ['application/json', ''],
    ['text/event-stream', 'data: '],
  ])('whose answer as %s is longer than 1 MiB fails its call', async (type, start) => {
    const sample = await serveSample();
    const mcp = await connectTo(sample);
    sample.next('tools/call', (response) =>
      response.writeHead(200, { 'content-type': type }).end(`${start}"${'x'.repeat(2_000_000)}"\n\n`),
    );
    expect((await mcp.run('web_echo', 'x')).result).toContain('a message has more than 1048576 bytes');
    expect(await mcp.run('web_echo', 'y')).toEqual({ ok: true, result: 'you said y' });
  });

  it('whose response stream ends without an answer fails its call at once', async () => {
    const sample = await serveSample();
    const mcp = await connectTo(sample);
    sample.next('tools/call', (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    );
    expect((await mcp.run('web_fail', '{"text": "x"}')).result).toBe(
      'the MCP server "web" was lost during the call: its response ended without an answer; outcome unknown, it may have taken effect',
    );
  });

  it.each([
    [500, '<p>broken', 'HTTP 500 <p>broken'],
    [401, '', 'HTTP 401; nothing was called'],
  ])('that answers a call with the status %i has it named', async (status, page, reason) => {
    const sample = await serveSample();
    const mcp = await connectTo(sample);
    sample.next('tools/call', (response) => response.writeHead(status).end(page));
    const { ok, result } = await mcp.run('web_echo', 'x');
    expect(ok).toBe(false);
    expect(result).toContain(`: ${reason}`);
  });
});
