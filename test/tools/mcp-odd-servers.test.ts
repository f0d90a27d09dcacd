import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { wireTools } from '../../src/models/prompt/contract-calls.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { createTripact } from '../../src/tripact.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';
import { sendJson, serve } from '../support/http/local-server.ts';
import { serveSample } from '../support/mcp/http-server.ts';
import { connectSamples } from '../support/mcp/setup.ts';

const ERAS = ['2025', '2026'] as const;
type Era = (typeof ERAS)[number];

/** Members that a server of the newer protocol adds to a result. */
const NEWER = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

const ofEra = (era: Era, result: object): object => (era === '2025' ? result : { ...NEWER, ...result });

/** A server of 2025 with these tools, which answers each call with `result`. */
const serveOlder = async (tools: unknown[], result: object): Promise<string> => {
  const answers: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    },
    'tools/list': { tools, nextCursor: null },
    'tools/call': result,
  };
  const { origin } = await serve(({ body }, response) => {
    const { method = '', id } = JSON.parse(body || '{}');
    if (id === undefined) return void response.writeHead(202).end();
    const known = answers[method];
    const error = { code: -32_601, message: 'Method not found' };
    sendJson(response, { jsonrpc: '2.0', id, ...(known === undefined ? { error } : { result: known }) });
  });
  return `${origin}/mcp`;
};

/** Connects to a server that lists these tools and answers each call with `result`. */
const connectTo = async (era: Era, tools: unknown[], result: object = { content: [] }) => {
  if (era === '2025') return connectSamples({ odd: { url: await serveOlder(tools, result) } });
  const sample = await serveSample();
  const answer = (of: object) => (response: ServerResponse, id: unknown) =>
    sendJson(response, { jsonrpc: '2.0', id, result: ofEra(era, of) });
  sample.next('tools/list', answer({ tools }));
  sample.next('tools/call', answer(result));
  return connectSamples({ odd: { url: sample.url } });
};

const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const good = { name: 'good', description: 'Good.', inputSchema };

/** Tools of real servers (Notion, Context7, Chrome DevTools, sequential thinking) as these list them. */
const RECORDED = JSON.parse(readFileSync('test/support/mcp/recorded-tools.json', 'utf8')) as {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}[];

describe.each(ERAS)('a server of %s', (era) => {
  it('has the schemas and descriptions of its tools told to models whole, but for definitions that nothing uses', async () => {
    const mcp = await connectTo(era, RECORDED);
    const told = wireTools(createToolRegistry(mcp.tools()).usage(mcp.names()));
    for (const { name, description, inputSchema } of RECORDED) {
      const { $schema: _, $defs, ...whole } = inputSchema;
      const tool = told.find((each) => each.name === `odd_${name}`);
      expect(tool?.description).toBe(description.trim());
      const used = ($defs as Record<string, unknown> | undefined)?.['movePageParentRequest'];
      expect(tool?.schema).toEqual({ ...whole, ...(used !== undefined && { $defs: { movePageParentRequest: used } }) });
    }
  });

  it('keeps all its tools where one differs from the protocol in what is not needed of it', async () => {
    const odd: [string, object][] = [
      ['description', { description: null }],
      ['title', { title: 7, description: ['x'] }],
      ['annotations', { annotations: null }],
      ['hints', { annotations: { readOnlyHint: 'true', title: null } }],
      ['output', { outputSchema: null }],
      ['output_list', { outputSchema: { type: 'array', items: { type: 'string' } } }],
      ['required', { inputSchema: { ...inputSchema, required: null } }],
      ['required_true', { inputSchema: { ...inputSchema, required: true } }],
      ['properties', { inputSchema: { type: 'object', properties: null } }],
      ['no_schema', { inputSchema: undefined }],
      ['null_schema', { inputSchema: null }],
      ['any_of', { inputSchema: { anyOf: [inputSchema, { type: 'object' }] } }],
      ['no_type', { inputSchema: { properties: inputSchema.properties } }],
      ['types', { inputSchema: { ...inputSchema, type: ['object', 'null'] } }],
      ['meta', { _meta: null, icons: null, execution: null }],
    ];
    const mcp = await connectTo(era, [good, ...odd.map(([name, parts]) => ({ ...good, name, ...parts })), good]);
    expect(mcp.names()).toEqual(['odd_good', ...odd.map(([name]) => `odd_${name}`)]);
    // A hint that can't be read is none: such a tool is not run twice.
    expect(mcp.tool('odd_hints')).toMatchObject({ effect: 'at_most_once', writes: true });
    expect(mcp.tool('odd_any_of').usage).toContain('"anyOf"');
    expect(mcp.servers()).toEqual([{ name: 'odd', state: 'connected', reason: null }]);
  });

  it('is left without the tools that cannot be used, which are named with the reason', async () => {
    const mcp = await connectTo(era, [
      null,
      { ...good, name: 'texts', inputSchema: { type: 'string' } },
      good,
      { ...good, name: 'lists', inputSchema: [] },
      { description: 'Nameless.', inputSchema },
    ]);
    expect(mcp.names()).toEqual(['odd_good']);
    const reason = [
      '?: it is not an object',
      'texts: its inputSchema is of the type "string", not object',
      'lists: its inputSchema is not an object',
      '?: it has no name',
    ].join('; ');
    expect(mcp.servers()).toEqual([{ name: 'odd', state: 'connected', reason }]);
    expect(mcp.seen.text()).toMatch(/"level":40.*"tool":"texts".*left out/);
  });

  it.each<[object, { ok: boolean; result: string }]>([
    [
      { content: [], isError: true },
      { ok: false, result: 'the tool gave no reason' },
    ],
    [{ isError: true }, { ok: false, result: 'the tool gave no reason' }],
    [
      { content: [{ type: 'text', text: ' ' }], isError: true },
      { ok: false, result: 'the tool gave no reason' },
    ],
    [
      { content: null, isError: true, structuredContent: { code: 7 } },
      { ok: false, result: '{"code":7}' },
    ],
    [{ structuredContent: { rain: true } }, { ok: true, result: '{"rain":true}' }],
    [
      { structuredContent: { order: 725_653_563_933_458_400, mass: 6e23, count: 2 } },
      {
        ok: true,
        result:
          '{"order":"(a number that JSON rounded: the server has to write it as a string)","mass":6e+23,"count":2}',
      },
    ],
    [
      { content: [{ type: 'text', text: '' }], structuredContent: { rain: true } },
      { ok: true, result: '{"rain":true}' },
    ],
    [
      { content: [], structuredContent: [1, 2] },
      { ok: true, result: '[1,2]' },
    ],
    [
      { content: [{ type: 'text', text: 'yes' }], structuredContent: null, isError: null },
      { ok: true, result: 'yes' },
    ],
    [{ content: 'plain' }, { ok: true, result: 'plain' }],
    [{ content: { type: 'text', text: 'alone' } }, { ok: true, result: 'alone' }],
    [
      { content: [{ type: 'text', text: 'said', annotations: null }, 'and so on'] },
      { ok: true, result: 'said\nand so on' },
    ],
    [
      { content: [{ type: 'video', url: 'https://example.org/a.mp4', data: 'AAAA' }] },
      { ok: true, result: '{"type":"video","url":"https://example.org/a.mp4"}' },
    ],
    [{ content: [{ type: 'markdown', text: '# Done' }] }, { ok: true, result: '# Done' }],
    [
      { content: [{ type: 'image', data: '@@', mimeType: 'image/png' }] },
      { ok: true, result: '{"type":"image","mimeType":"image/png"}' },
    ],
    [{ content: [{ type: 'resource', resource: { text: 'inside' } }] }, { ok: true, result: 'inside' }],
  ])('has its result %j read', async (result, expected) => {
    const mcp = await connectTo(era, [good], result);
    expect(await mcp.run('odd_good', 'x')).toEqual(expected);
  });
});

it('a tool that is not there while its server connects is answered with how the server stands', async () => {
  const silent = await serve(() => {});
  const tripact = await createTripact({
    config: {
      settings: { TRIPACT_MODEL: 'offline', TRIPACT_DATA_DIR: temporaryFolder(), TRIPACT_LOG_LEVEL: 'fatal' },
      mcpServers: { web: { url: silent.origin } },
    },
    env: {},
  });
  onTestFinished(() => tripact.close());
  const output = expect.stringContaining(
    'The MCP server web is still connecting; its tools are there once it is connected.',
  );
  expect(await tripact.turn({ session: 's1', input: '/tool web_search x' })).toMatchObject({ ok: false, output });
  expect(await tripact.turn({ session: 's1', input: '/tools' })).toMatchObject({ status: 'ran', output });
  expect(await tripact.turn({ session: 's1', input: '/tool 网页 天气' })).toMatchObject({
    output: expect.stringContaining('MCP 服务器 web 仍在连接'),
  });
});
