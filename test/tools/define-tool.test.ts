import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import example from '../../examples/tripact.config.ts';
import { checkConfigFile } from '../../src/app/config-file.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { OutsideTool } from '../../src/tools/port.ts';
import { type DefinedToolCall, defineTool } from '../../src/tripact.ts';
import { acts, concludes, finishes, plans } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';
import { taskCall } from '../support/tools/task-call.ts';

/** A tool that gives back what it was given, as JSON. */
const given = <Input extends z.ZodType>(input: Input): OutsideTool =>
  defineTool({ name: 'probe', description: 'Gives its input back.', input, run: (value) => ({ given: value }) });

const forecast = given(
  z.object({
    city: z
      .string()
      .describe('The city,\nin English')
      .meta({ examples: ['Paris'] }),
    days: z.int().min(1).max(14).default(3),
    units: z.enum(['metric', 'imperial']).optional(),
    where: z.object({ lat: z.number(), lon: z.number().optional() }).optional(),
  }),
);

const run = (tool: OutsideTool, input: string) => tool.run(input, taskCall());

/** The observation in the trace of a single task with one call of the tool. */
const observe = async (tool: OutsideTool, input: string) => {
  const model = createScriptedModel([plans('Try it'), acts(tool.name, input), finishes(), concludes('done')]);
  const session = sessionOf((await openEngine({ model, tools: [tool] })).engine);
  await session.ask('Try it');
  return (await session.trace()).map(({ event }) => event).find(({ type }) => type === 'observation.recorded');
};

describe('the usage of a tool of one’s own', () => {
  /** The schema that a usage shows, and the line before it. */
  const shown = (usage: string) => {
    const [head, schema, ...more] = usage.split('\n');
    expect(more).toEqual([]);
    return { head, schema: JSON.parse(schema ?? '') };
  };

  it('is its JSON Schema, for models to read', () => {
    expect(shown(forecast.usage)).toEqual({
      head: 'JSON of this schema:',
      schema: {
        type: 'object',
        properties: {
          city: { type: 'string', description: 'The city, in English', examples: ['Paris'] },
          days: { type: 'integer', minimum: 1, maximum: 14, default: 3 },
          units: { type: 'string', enum: ['metric', 'imperial'] },
          where: {
            type: 'object',
            properties: { lat: { type: 'number' }, lon: { type: 'number' } },
            required: ['lat'],
          },
        },
        required: ['city'],
      },
    });
  });
});

describe('the input of a tool of one’s own', () => {
  it.each([
    ['{"city":"Oslo"}', { city: 'Oslo', days: 3 }],
    ['/probe {"city":"Oslo","days":1}', { city: 'Oslo', days: 1 }],
    ['{"city":"725653563933458433","days":2}', { city: '725653563933458433', days: 2 }],
  ])('%s is read as JSON, with or without the tool’s name', async (input, value) => {
    expect(await run(forecast, input)).toEqual({ ok: true, result: JSON.stringify({ given: value }) });
  });

  it.each([
    ['cats and dogs', 'cats and dogs'],
    ['/probe cats', 'cats'],
    ['{"query": "cats"}', 'cats'],
    ['{"query": "cats"', '{"query": "cats"'],
    ['725653563933458433', '725653563933458433'],
  ])('%j is the only text field where there is one', async (input, query) => {
    expect(await run(given(z.object({ query: z.string() })), input)).toEqual({
      ok: true,
      result: JSON.stringify({ given: { query } }),
    });
  });

  it('is a plain text as it is where the schema is one', async () => {
    expect((await run(given(z.string()), ' {"a": 1} ')).result).toBe('{"given":"{\\"a\\": 1}"}');
  });

  it.each([
    ['Oslo', /^This is not valid JSON: /],
    ['{"city": 7}', /^"city": .*expected string/],
    ['{"city": "Oslo", "day": 1}', /^there is no field "day"/],
    ['{"city": "Oslo", "where": {}}', /^"where\.lat" is missing/],
    ['{"city": "Oslo", "__proto__": {"x": 1}}', /^The key "__proto__" is not allowed/],
    [
      '{"city": "Oslo", "days": 725653563933458433}',
      /^This has a number with more digits than JSON keeps: write it as a str/,
    ],
    ['{"city": "Oslo", "days": 1e999}', /^This has a number with more digits/],
    [`{"city": ${'['.repeat(15_000)}${']'.repeat(15_000)}}`, /^This nests deeper/],
  ])('%.60s is a failed observation with the usage', async (input, problem) => {
    const { ok, result } = await run(forecast, input);
    expect(ok).toBe(false);
    expect(result).toMatch(problem);
    expect(result).toContain(`\nUsage: ${forecast.usage}`);
  });
});

describe('what a tool of one’s own gives back', () => {
  const gives = (output: unknown) =>
    run(defineTool({ name: 'probe', description: 'x', input: z.string(), run: () => output as object }), 'go');

  it.each([
    ['a text', 'fine', { ok: true, result: 'fine' }],
    ['data', { n: 1, list: [true] }, { ok: true, result: '{"n":1,"list":[true]}' }],
    ['a failure', { ok: false, result: 'no such city' }, { ok: false, result: 'no such city' }],
    [
      'something that only looks like a result',
      { ok: 'yes', result: 1 },
      { ok: true, result: '{"ok":"yes","result":1}' },
    ],
    ['nothing', undefined, { ok: true, result: 'Done; the tool gave nothing back.' }],
    ['what JSON cannot write', { n: 1n }, { ok: false, result: 'probe failed: Do not know how to serialize a BigInt' }],
  ])('%s', async (_what, output, result) => {
    expect(await gives(output)).toEqual(result);
  });

  it('is a failure where its files are of another shape: none is left out silently', async () => {
    const bytes = new TextEncoder().encode('a,b');
    const said = { ok: true, result: 'fine' };
    expect(await gives({ ...said, files: [{ name: 'a.csv', bytes }] })).toEqual({
      ...said,
      files: [{ name: 'a.csv', data: 'YSxi' }],
    });
    for (const files of ['a.csv', [{ name: 'a.csv', bytes: 'a,b' }], Array(11).fill({ name: 'a.csv', bytes })])
      expect(await gives({ ...said, files })).toMatchObject({ ok: false, result: expect.stringContaining('"files"') });
  });

  it('is a failure with the message, and no stack, when it throws', async () => {
    const broken = (): never => {
      throw new Error('the disk is full');
    };
    const tool = defineTool({ name: 'probe', description: 'x', input: z.string(), run: broken });
    expect(await run(tool, 'go')).toEqual({ ok: false, result: 'probe failed: the disk is full' });
  });
});

describe('a tool of one’s own in a task', () => {
  it('gets the session’s folder, the task’s files, its ids and a signal, and no more', async () => {
    let seen: DefinedToolCall | undefined;
    const tool = defineTool({
      name: 'probe',
      description: 'x',
      input: z.object({ a: z.number() }),
      run: ({ a }, call) => {
        seen = call;
        return String(a * 2);
      },
    });
    expect(await observe(tool, '{"a": 21}')).toMatchObject({ tool: 'probe', ok: true, result: '42' });
    expect(Object.keys(seen ?? {}).sort()).toEqual([
      'effect_id',
      'files',
      'language',
      'metadata',
      'now',
      'owner',
      'session_id',
      'signal',
      'task_id',
      'timezone',
      'workspace',
    ]);
    expect(seen?.workspace).toMatch(/s1$/);
  });
});

describe('the definition itself', () => {
  it('may run again where it only reads, unless it says otherwise', () => {
    const reads = { name: 'x', description: 'x', input: z.string(), writes: false, run: () => '' };
    expect(defineTool(reads)).toMatchObject({ effect: 'idempotent', writes: false });
    expect(defineTool({ ...reads, effect: 'at_most_once' })).toMatchObject({ effect: 'at_most_once' });
  });

  it('runs at most once and counts as writing, unless it says otherwise', () => {
    expect(forecast).toMatchObject({ effect: 'at_most_once', writes: true });
    const tool = defineTool({
      name: 'x',
      description: 'x',
      input: z.string(),
      effect: 'idempotent',
      writes: false,
      run: () => '',
    });
    expect(tool).toMatchObject({ effect: 'idempotent', writes: false });
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses the time limit %s', (timeoutMs) => {
    expect(() => defineTool({ name: 'x', description: 'x', input: z.string(), timeoutMs, run: () => '' })).toThrow(
      /timeoutMs/,
    );
  });

  it('as the example shows it works, once for each effect', async () => {
    const workspace = mkdtempSync(join(tmpdir(), 'tripact-example-'));
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    const { tools: [note] = [], verify: [check] = [] } = checkConfigFile(example);
    if (note === undefined || note.effect === 'transactional' || typeof check !== 'function')
      throw new Error('changed');
    const verified = () =>
      check({ session_id: 's1', task_id: 'task_1', workspace, language: 'en', signal: new AbortController().signal });
    expect(await note.run('milk is cheap', taskCall({ workspace }))).toEqual({
      ok: true,
      result: 'noted: milk is cheap',
    });
    await note.run('milk is cheap', taskCall({ workspace }));
    expect(readFileSync(join(workspace, 'notes.md'), 'utf8').match(/milk/g)).toHaveLength(1);
    expect(await verified()).toMatchObject({ ok: true });
    await note.run('m'.repeat(1_000), taskCall({ workspace, effect_id: 'task_1.2' }));
    expect(await verified()).toMatchObject({ ok: false, output: expect.stringContaining('line 2') });
  });
});
