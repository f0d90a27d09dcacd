import { expect, it } from 'vitest';
import { MCP_LIST_VALUES_MAX } from '../../contracts/limits.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { longestBlock, MEASURED_AGAIN } from '../support/longest-block.ts';
import { connectSamples, type SampleTools } from '../support/mcp/setup.ts';

/** So many tools of so many described fields. */
const toolsOf = (count: number, fields: number): object[] => {
  const field = { type: 'string', description: 'What it is for, and how it is written.' };
  const properties = Object.fromEntries(Array.from({ length: fields }, (_, i) => [`field_${i}`, field]));
  return Array.from({ length: count }, (_, i) => ({ name: `t${i}`, inputSchema: { type: 'object', properties } }));
};

/** Answers of a server of the earlier era that lists these tools, by their methods. */
const answersOf = (tools: object[]) => ({
  initialize: {
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'big', version: '1' },
    },
  },
  'tools/list': { result: { tools } },
  'tools/call': { result: { content: [], structuredContent: { tools } } },
});

/** A program that reads its answers from a variable, in which a list is written once. */
const PROGRAM = `
  const answers = new Function('return ' + process.env.ANSWERS)();
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const answer = answers[method] ?? { error: { code: -32601, message: 'none' } };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
  });`;

const program = async (count: number, fields: number): Promise<SampleTools> => {
  const ANSWERS = `(${answersOf})((${toolsOf})(${count}, ${fields}))`;
  return connectSamples({ big: { command: process.execPath, args: ['-e', PROGRAM], env: { ANSWERS } } });
};

const overHttp = async (count: number, fields: number, streams = false): Promise<SampleTools> => {
  const answers: Record<string, object> = answersOf(toolsOf(count, fields));
  const { origin } = await serve(({ method: verb, body }, response) => {
    if (verb !== 'POST') return response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return response.writeHead(202).end();
    const answer = { jsonrpc: '2.0', id, ...(answers[method] ?? { error: { code: -32601, message: 'none' } }) };
    if (!streams) return sendJson(response, answer);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(answer)}\n\n`);
  });
  return connectSamples({ big: { url: origin } });
};

const byStreams = (count: number, fields: number): Promise<SampleTools> => overHttp(count, fields, true);

it.each([
  ['a program', program],
  ['one over HTTP', overHttp],
  ['one that answers by streams', byStreams],
])('a server with many tools of many fields has them all, and its results are as short as any: %s', async (_, open) => {
  const mcp = await open(120, 40);
  expect(mcp.names()).toHaveLength(120);
  expect(await mcp.run('big_t0')).toMatchObject({
    ok: false,
    result: expect.stringContaining('more than 20000 values'),
  });
});

it.each([
  ['a program', program],
  ['one over HTTP', overHttp],
  ['one that answers by streams', byStreams],
])(
  'of tools with more fields than fit those are taken that do, and the others are named in the log: %s',
  async (_, open) => {
    const mcp = await open(60, 100);
    expect(mcp.names()).toEqual(Array.from({ length: 52 }, (_each, i) => `big_t${i}`));
    expect(mcp.seen.text()).toMatch(/"level":40.*"tools":\["t52",.*"t59"\].*more tools than fit/);
  },
);

it.each([
  ['a program', program],
  ['one over HTTP', overHttp],
  ['one that answers by streams', byStreams],
])('a list that is longer still is not read, and the server is said to have failed for that: %s', async (_, open) => {
  const mcp = await open(200, 100);
  expect(mcp.names()).toEqual([]);
  expect(mcp.servers()).toMatchObject([{ state: 'failed', reason: 'a message has more than 40000 values' }]);
});

it('a list with as many keys beside its tools as it may have is read quickly', MEASURED_AGAIN, async () => {
  const keys = `Object.fromEntries(Array.from({ length: ${MCP_LIST_VALUES_MAX / 2 - 100} }, (_, i) => ['key' + i, 1]))`;
  const list = `{ result: { tools: (${toolsOf})(1, 1), ...${keys} } }`;
  const env = { ANSWERS: `{ ...(${answersOf})([]), 'tools/list': ${list} }` };
  const blockMs = await longestBlock(async () => {
    const mcp = await connectSamples({ big: { command: process.execPath, args: ['-e', PROGRAM], env } });
    expect(mcp.names()).toEqual(['big_t0']);
  });
  expect(blockMs).toBeLessThan(50);
});

it.each([
  ['a program', program],
  ['one over HTTP', overHttp],
])('of a page of more tools than a page may have the first ones are taken: %s', async (_, open) => {
  const mcp = await open(700, 0);
  expect(mcp.names()).toHaveLength(128);
  expect(mcp.servers()).toMatchObject([{ state: 'connected' }]);
  expect(mcp.seen.text()).toMatch(/"level":40.*"tools":\["t500",.*"left_out":200,.*more tools than fit/);
});
