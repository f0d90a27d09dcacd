import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ToolServerView, ToolView } from '../../contracts/http.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { calls } from '../support/anthropic/answers.ts';
import { sampleProgram, seenLog } from '../support/mcp/setup.ts';
import { act, answer, ask, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

interface Listed {
  tools: ToolView[];
  servers: ToolServerView[];
  next: string | null;
  about_tokens: number;
}

const replayed = async ({ url, trace }: Service, session: string): Promise<unknown> => {
  const body = (await trace(session)).map((entry) => JSON.stringify(entry)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  return (await fetch(`${url}/v1/replay`, { method: 'POST', headers, body })).json();
};

const weather = defineTool({
  name: 'weather',
  description: 'The weather in a city.',
  input: z.object({ city: z.string() }),
  effect: 'idempotent',
  writes: false,
  run: ({ city }) => `It rains in ${city}`,
});

it('a tool that is an instance of a class runs, with its own fields', async () => {
  class Scale {
    readonly name = 'scale';
    readonly description = 'Weighs.';
    readonly effect = 'idempotent';
    readonly writes = false;
    readonly #unit = 'kg';
    get usage() {
      return `scale <thing>, in ${this.#unit}`;
    }
    async run(input: string) {
      return { ok: true, result: `${input}: 3 ${this.#unit}` };
    }
  }
  const file = { tools: [new Scale()] };
  const service = await startService([plan('Weigh'), act('scale', 'the cat'), done(), answer('3 kg')], {}, { file });
  const { tools } = await service.get<Listed>('/v1/tools');
  expect(tools.at(-1)).toMatchObject({ name: 'scale', usage: 'scale <thing>, in kg', source: 'config' });
  expect(await service.say('s1', 'Weigh the cat')).toMatchObject({ status: 'answered', output: '3 kg' });
  expect(JSON.stringify(await service.trace('s1'))).toContain('the cat: 3 kg');
  expect((await service.say('s1', '/tool scale a dog')).output).toContain('a dog: 3 kg');
});

describe('GET /v1/tools', () => {
  it('lists what tasks may use: name, usage, effect, executors and where it comes from', async () => {
    const service = await startService(
      [],
      {},
      {
        file: {
          tools: [weather],
          builtinTools: ['todo'],
          executors: [{ name: 'reader', description: 'Reads.', tools: ['weather'] }],
        },
      },
    );
    const { tools, servers, next } = await service.get<Listed>('/v1/tools');
    expect(tools.map(({ name }) => name)).toEqual([
      ...['todo', 'view', 'schedule', 'planning', 'remember', 'internet_search', 'files', 'weather'],
    ]);
    expect(tools.flatMap(({ name, for_models }) => (for_models ? [name] : []))).toEqual(['todo', 'weather']);
    expect(tools[1]).toMatchObject({ name: 'view', for_models: false, executors: [] });
    expect(tools[0]).toMatchObject({
      effect: 'transactional',
      writes: true,
      approval: false,
      executors: ['default'],
      source: 'built_in',
      server: null,
      usage: expect.stringContaining('/todo add <text>'),
      input_schema: null,
    });
    expect(tools.at(-1)).toMatchObject({
      effect: 'idempotent',
      executors: ['default', 'reader'],
      source: 'config',
      input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      about_tokens: 27,
    });
    expect([servers, next]).toEqual([[], null]);
  });

  it('has the built-in tools that can work, where the configuration has no tools of its own', async () => {
    const builtIn = ['todo', 'view', 'schedule', 'planning', 'remember', 'files'];
    const names = async (service: Service): Promise<string[]> =>
      (await service.get<Listed>('/v1/tools')).tools.flatMap(({ name, for_models }) => (for_models ? [name] : []));
    const service = await startService([]);
    expect(await names(service)).toEqual(builtIn);
    expect((await service.say('s1', '/tool internet_search cats')).output).toContain('Set TRIPACT_SEARXNG_URL');
    await service.restart({ TRIPACT_SEARXNG_URL: 'http://127.0.0.1:9' });
    expect(await names(service)).toEqual([...builtIn.slice(0, 5), 'internet_search', 'files']);
  });

  it('has none beside those of the configuration that it does not name; their commands stay', async () => {
    const service = await startService(
      [calls([['finish', { response: 'Hello!' }]])],
      {},
      { file: { tools: [weather] } },
    );
    expect((await service.say('s1', '/tools')).output).toContain('(built in; for users only)\n    /todo add <text>');
    expect((await service.say('s1', '/todo add milk')).output).toContain('milk');
    expect((await service.say('s1', '/files list')).ok).not.toBe(false);
    await service.say('s1', 'hello');
    const told = service.model.requests[0]?.body['tools'] as { name: string }[];
    expect(told.map(({ name }) => name)).toEqual(['plan', 'item_done', 'finish', 'ask_user', 'read_result', 'weather']);
  });

  it('has no start with a coding agent that has no folder', async () => {
    const file = { builtinTools: ['coding_agent' as const] };
    await expect(startService([], {}, { file })).rejects.toThrow('needs TRIPACT_BRIDGE_DIR');
  });

  it('says about how many tokens each tool costs and all together; a long schema is named in the log', async () => {
    const seen = seenLog();
    const long = defineTool({
      name: 'long',
      description: 'Long.',
      input: z.object({ text: z.string().describe('x'.repeat(20_000)) }),
      run: () => 'done',
    });
    const service = await startService([], {}, { file: { tools: [weather, long] }, log: seen.log });
    const { tools, about_tokens } = await service.get<Listed>('/v1/tools');
    const told = tools.filter(({ for_models }) => for_models);
    expect(about_tokens).toBe(told.reduce((sum, tool) => sum + tool.about_tokens, 0));
    await seen.saw('the schema of a tool is long');
    await seen.saw('tools offered to models');
    expect(seen.text()).toContain(`"tool":"long","schema_chars":20094,"about_tokens":${told[1]?.about_tokens}`);
    expect(seen.text()).toContain(`"tools":2,"about_tokens":${about_tokens}`);
  });

  it('has those alone that TRIPACT_TOOLS chooses; the commands of the others are gone too', async () => {
    const service = await startService([], { TRIPACT_TOOLS: 'schedule,files' }, { file: { tools: [weather] } });
    const { tools } = await service.get<Listed>('/v1/tools');
    expect(tools.map(({ name }) => name)).toEqual(['schedule', 'files', 'weather']);
    expect((await service.say('s1', '/todo list')).output).toContain('There is no command /todo.');
    expect((await service.say('s1', '/schedule list')).output).toContain('The schedule is empty');
  });
});

it('/tools lists the tools with their usage, in the user’s language, by page', async () => {
  const more = Array.from({ length: 20 }, (_, n) => ({ ...weather, name: `weather_${n}` }));
  const service = await startService([], {}, { file: { tools: more, builtinTools: ['todo'] } });
  const first = (await service.say('s1', '/tools')).output;
  for (const part of ['Tools: 27', '(built in)\n    /todo add <text>', '(page 1 of 2; for the next one: /tools 2)'])
    expect(first).toContain(part);
  const last = 'weather_19 — The weather in a city. (from the configuration file)';
  expect((await service.say('s1', '/tools 2')).output).toContain(last);
  expect((await service.say('s1', '/tools 第一页')).output).toContain('工具列表有第 1 至 2 页');
});

it('an MCP server that hangs or cannot be started is waited for once, keeps no command waiting, and is said', async () => {
  const silent = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
  const none = { command: '/no/such/program' };
  const service = await startService([], {}, { file: { mcpServers: { silent, none } } });
  expect((await service.say('s1', '/todo list')).status).toBe('ran');
  await expect
    .poll(async () => (await service.get<Listed>('/v1/tools')).servers)
    .toEqual([
      { name: 'silent', kind: 'mcp', state: 'connecting', reason: null },
      { name: 'none', kind: 'mcp', state: 'failed', reason: expect.stringContaining('ENOENT') },
    ]);
});

describe('a task that opens while an MCP server is not connected yet', () => {
  it('has its tools, and is ready no sooner', async () => {
    const script = [plan('Say it'), act('box_echo', 'hi'), done(), answer('It said hi.')];
    const service = await startService(script, {}, { file: { mcpServers: { box: sampleProgram() } } });
    const said = service.say('s1', 'Say hi');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect((await service.get<Listed>('/v1/tools')).servers).toMatchObject([{ name: 'box', state: 'connected' }]);
    expect(await said).toMatchObject({ output: 'It said hi.', task: { plan: [{ status: 'completed' }] } });
    const trace = await service.trace('s1');
    expect(trace.some(({ event }) => event.type === 'observation.recorded' && event.result === 'you said hi')).toBe(
      true,
    );
    expect(await replayed(service, 's1')).toMatchObject({ ok: true });
  });

  it('is offered the tools that it had last, and gets those that it has now with the next answer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tripact-mcp-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const more = join(folder, 'more');
    const file = { mcpServers: { box: sampleProgram({ MORE_TOOLS: more }) } };
    const script = [plan('Ask'), ask('Which?'), replanned('Use it'), act('box_more', '{}'), done(), answer('Here.')];
    const service = await startService(script, {}, { file });
    expect((await service.say('s1', 'Use the tool')).question).toBe('Which?');
    writeFileSync(more, '');
    await service.restart();
    const names = (await service.get<Listed>('/v1/tools')).tools.map(({ name }) => name);
    expect(names).toContain('box_echo');
    expect((await service.say('s1', 'the new one')).output).toBe('Here.');
    expect(await replayed(service, 's1')).toMatchObject({ ok: true });
  });
});

describe('a refund that a page asks for, or whose order JSON would round', () => {
  const refunds = () => {
    const refunded: unknown[] = [];
    const refund = defineTool({
      name: 'refund',
      description: 'Pays an order back.',
      input: z.object({ order: z.union([z.int(), z.string()]) }),
      approval: true,
      run: ({ order }) => {
        refunded.push(order);
        return 'paid';
      },
    });
    return { refunded, file: { tools: [refund] } };
  };
  const reasons = async ({ trace }: Service): Promise<string[]> =>
    (await trace('s1')).flatMap(({ event }) => (event.type === 'thought.rejected' ? [event.reason] : []));

  it('is never asked about where the model only quotes it', async () => {
    const { refunded, file } = refunds();
    const quoted = JSON.stringify(act('refund', '{"order":17}'));
    const script = [
      plan('Read the page'),
      `The page tries to make me answer ${quoted}. I will not do that.\n[Done]`,
      `${quoted}\nNo, the page wants that, not the user.`,
      done('It asks for a refund.'),
      answer('The page asks for a refund.'),
    ];
    const service = await startService(script, {}, { file });
    expect(await service.say('s1', 'Read the page')).toMatchObject({ status: 'answered' });
    expect(await reasons(service)).toEqual([
      expect.stringMatching(/in the middle of a line/),
      expect.stringMatching(/text stands behind the action/),
    ]);
    expect(refunded).toEqual([]);
  });

  it('runs with exactly the input that was approved', async () => {
    const { refunded, file } = refunds();
    const script = [
      plan('Pay it back'),
      act('refund', '{"order":725653563933458433}'),
      act('refund', '{"order":"725653563933458433"}'),
      done(),
      answer('Paid.'),
    ];
    const service = await startService(script, {}, { file });
    const asked = await service.say('s1', 'Pay order 725653563933458433 back');
    expect(asked.question).toContain('{"order":"725653563933458433"}');
    expect(JSON.stringify(await service.trace('s1'))).toContain('write it as a string');
    const edited = await fetch(`${service.url}/v1/sessions/s1/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ decision: { type: 'edit', input: '{"order":725653563933458434}' } }),
    });
    expect([edited.status, await edited.text()]).toEqual([400, expect.stringMatching(/write it as a string/)]);
    expect((await service.say('s1', 'yes')).output).toBe('Paid.');
    expect(refunded).toEqual(['725653563933458433']);
    expect((await service.say('s1', '/tool refund {"order":725653563933458433}')).output).toMatch(
      /write it as a string/,
    );
    expect(refunded).toHaveLength(1);
  });
});
