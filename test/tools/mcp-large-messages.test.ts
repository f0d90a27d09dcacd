import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { MCP_LARGE_MESSAGES_MAX, MCP_LARGE_WAITING_MAX } from '../../contracts/limits.ts';
import { askingOwner } from '../../src/event-loop/asking-owner.ts';
import { createLargeMessages } from '../../src/tools/mcp/large-messages.ts';
import { serve } from '../support/http/local-server.ts';
import { connectSamples } from '../support/mcp/setup.ts';

const LARGE = 'x'.repeat(200_000);

const listed = [{ name: 'go', inputSchema: { type: 'object', properties: { say: { type: 'string' } } } }];

const resultOf = (method: string, text: string): object | undefined => {
  const serverInfo = { name: 'large', version: '1' };
  if (method === 'initialize') return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
  if (method === 'tools/list') return { tools: listed };
  if (method === 'tools/call') return { content: [{ type: 'text', text }] };
  return undefined;
};

/** A server that gives back what is said, or stops in the middle of a long text; `stopped` are those responses. */
const serveLarge = async (isStream: boolean) => {
  const stopped: ServerResponse[] = [];
  const { origin } = await serve(({ method: verb, body }, response) => {
    if (verb !== 'POST') return response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const say: string = params?.arguments?.say ?? '';
    const result = resultOf(method, say === 'small' ? say : say + LARGE);
    const said = result === undefined ? { error: { code: -32601, message: 'none' } } : { result };
    const answer = JSON.stringify({ jsonrpc: '2.0', id, ...said });
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    if (isStream) response.write('data: ');
    if (say !== 'stop') return response.end(isStream ? `${answer}\n\n` : answer);
    response.write(answer.slice(0, LARGE.length / 2));
    stopped.push(response);
  });
  return { url: origin, stopped };
};

it.each([
  ['one after the other', false],
  ['in streams', true],
])(
  'few large results of a server are read at once, %s; the others come when one of them ends, however it does',
  async (_how, isStream) => {
    const { url, stopped } = await serveLarge(isStream);
    const mcp = await connectSamples({ web: { url }, other: { url: (await serveLarge(isStream)).url } });
    const say = (text: string, signal = new AbortController().signal, server = 'web') =>
      mcp.run(`${server}_go`, JSON.stringify({ say: text }), { signal });
    const leaving = new AbortController();
    const stops = Array.from({ length: MCP_LARGE_MESSAGES_MAX }, (_, i) =>
      say('stop', ...(i === 0 ? [leaving.signal] : [])).catch((error: Error) => error),
    );
    await expect.poll(() => stopped.length).toBe(MCP_LARGE_MESSAGES_MAX);
    // Until all of them have been read as far as they go.
    for (let i = 0; i < 5; i += 1) expect(await say('small')).toEqual({ ok: true, result: 'small' });

    const came: string[] = [];
    const first = askingOwner.run('ann', () => say('first')).then(() => came.push('first'));
    const given = new AbortController();
    const left = askingOwner.run('ann', () => say('left', given.signal)).catch(() => came.push('left'));
    expect(await say('small')).toEqual({ ok: true, result: 'small' });
    expect(await say('large', undefined, 'other')).toMatchObject({ ok: true });
    expect(await say('small')).toEqual({ ok: true, result: 'small' });
    expect(came).toEqual([]);

    given.abort(new Error('cancelled'));
    await left;
    leaving.abort(new Error('cancelled'));
    await first;
    expect(came).toEqual(['left', 'first']);
    for (const response of stopped) response.destroy();
    await Promise.all(stops);
    const all = await Promise.all(Array.from({ length: 3 * MCP_LARGE_MESSAGES_MAX }, (_, i) => say(`${i}:`)));
    expect(all.map(({ result }) => result.slice(0, result.indexOf(':')))).toEqual(all.map((_, i) => String(i)));
  },
);

it('a long message is refused with a sentence where a thousand wait, and who left counts no more', async () => {
  const largeMessages = createLargeMessages();
  const begin = () => {
    const message = largeMessages();
    return { ...message, read: message.read(LARGE.length) };
  };
  const reading = Array.from({ length: MCP_LARGE_MESSAGES_MAX }, begin);
  await Promise.all(reading.map(({ read }) => read));
  const waiting = Array.from({ length: MCP_LARGE_WAITING_MAX }, begin);
  await expect(begin().read).rejects.toThrow('more than 1000 long messages of MCP servers came in at once');
  waiting[0]!.end();
  await expect(waiting[0]!.read).rejects.toThrow('ended');
  waiting.push(begin());
  for (const { end } of reading) end();
  for (const { read, end } of waiting.slice(1)) {
    await read;
    end();
  }
  await begin().read;
});
