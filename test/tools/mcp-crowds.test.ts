import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { McpServerConfig } from '../../src/tools/mcp/port.ts';
import { serve } from '../support/http/local-server.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';
import { connectSamples } from '../support/mcp/setup.ts';

/** Servers that are asked at once. */
const CROWD = 10;

/** Time in which all of them have answered, in milliseconds. */
const ANSWERED_MS = 500;

/** What a server of the earlier era answers, by the methods: a result of as many keys as one may have, or as many in its tool. */
const answersByMethod = (): Record<string, string> => {
  const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 1])));
  const serverInfo = { name: 'big', version: '1' };
  return {
    initialize: JSON.stringify({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }),
    'tools/list': `{"tools":[{"name":"go","inputSchema":{"type":"object","properties":{},"x":${keys(15_900)}}}]}`,
    'tools/call': `{"content":[],"structuredContent":${keys(9_900)}}`,
  };
};

const answers = answersByMethod();

const answerTo = (body: string): string | null => {
  const { id, method } = JSON.parse(body) as { id?: number; method: string };
  if (id === undefined) return null;
  const said =
    answers[method] === undefined ? '"error":{"code":-32601,"message":"none"}' : `"result":${answers[method]}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${said}}`;
};

const PROGRAM = `
  const answers = (${answersByMethod})();
  const answerTo = ${answerTo};
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(line);
    if (answer !== null) process.stdout.write(answer + '\\n');
  });`;

const program = async (): Promise<McpServerConfig> => ({ command: process.execPath, args: ['-e', PROGRAM] });

/** A program that answers a call with a line that never ends. */
const POURING = PROGRAM.replace(
  'const answer = answerTo(line);',
  `const pour = () => {
      while (process.stdout.write('x'.repeat(65_536)));
      process.stdout.once('drain', pour);
    };
    if (line.includes('"tools/call"')) return pour();
    $&`,
);

const overHttp = (contentType: string, frame: (answer: string) => string) => async (): Promise<McpServerConfig> => {
  const { origin } = await serve(({ method, body }, response) => {
    if (method !== 'POST') return response.writeHead(405).end();
    const answer = answerTo(body);
    if (answer === null) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': contentType }).end(frame(answer));
  });
  return { url: origin };
};

it.each([
  ['programs', program],
  ['servers over HTTP', overHttp('application/json', (answer) => answer)],
  ['servers that answer by streams', overHttp('text/event-stream', (answer) => `data: ${answer}\n\n`)],
])('long results of many %s at once are taken one after the other', MEASURED_AGAIN, async (_whose, make) => {
  const servers = await Promise.all(Array.from({ length: CROWD }, make));
  const mcp = await connectSamples(Object.fromEntries(servers.map((server, i) => [`s${i}`, server])));
  const names = mcp.names();
  expect(names).toHaveLength(CROWD);
  const blockedMs = await longestBlock(async () => {
    const calls = names.map((name) => mcp.run(name));
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    // All of them answer before any answer is read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ANSWERED_MS);
    for (const call of calls) expect(await call).toMatchObject({ ok: true });
  });
  expect(blockedMs).toBeLessThan(50);
});

it('a line that never ends holds nobody up, and ends its call with a sentence', MEASURED_AGAIN, async () => {
  const mcp = await connectSamples({ s: { command: process.execPath, args: ['-e', POURING] } });
  const blockedMs = await longestBlock(async () => {
    expect(await mcp.run('s_go')).toMatchObject({
      ok: false,
      result: expect.stringContaining('more than 4194304 bytes'),
    });
  });
  // Put together with each chunk it takes 41 to 61 ms.
  expect(blockedMs).toBeLessThan(35);
});
