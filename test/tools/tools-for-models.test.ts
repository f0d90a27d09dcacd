import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { wireTools } from '../../src/models/prompt/contract-calls.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { modelSchema } from '../../src/tools/defined/model-schema.ts';
import type { Tool } from '../../src/tools/port.ts';
import { createToolRegistry, TOOLS_MAX } from '../../src/tools/registry.ts';

const made = <Input extends z.ZodType>(input: Input, name = 'own') =>
  defineTool({ name, description: 'Does it.', input, run: (given) => JSON.stringify(given) });

/** The schema of a tool's call, as a provider gets it. */
const wired = (tool: Tool): unknown => {
  const registry = createToolRegistry([tool]);
  const { tools } = registry.catalogue();
  return wireTools(registry.usage(tools.map(({ name }) => name))).at(-1)?.schema;
};

describe('a tool of one’s own', () => {
  it('has its whole schema told, however long, but not the dialect', () => {
    const fields = Array.from({ length: 200 }, (_, n) => [`field_${n}`, z.string().describe('x'.repeat(300))] as const);
    const input = z.object(Object.fromEntries(fields));
    const { $schema, ...whole } = z.toJSONSchema(input, { io: 'input' });
    expect($schema).toBeDefined();
    expect(wired(made(input))).toEqual(whole);
  });

  it.each([
    ['a text', z.string().max(20), { type: 'string', maxLength: 20 }],
    ['a whole number, without the bounds of all numbers', z.int().min(1), { type: 'integer', minimum: 1 }],
    ['a list', z.array(z.number()), { type: 'array', items: { type: 'number' } }],
    [
      'alternatives',
      z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]),
      { anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }] },
    ],
  ])('that takes %s, which no provider takes for a whole call, gets it in one field', (_, input, schema) => {
    expect(wired(made(input))).toMatchObject({ type: 'object', properties: { input: schema }, required: ['input'] });
    expect(createToolRegistry([made(input)]).catalogue().tools).toEqual([{ name: 'own', writes: true }]);
  });

  it('has references within such a field lead to where they stand now', () => {
    const Tree: z.ZodType = z.lazy(() => z.union([z.string(), z.object({ of: z.array(Tree) })]));
    const schema = wired(made(Tree)) as Record<string, unknown>;
    const [ref] = JSON.stringify(schema).match(/"#[^"]*"/) ?? [];
    const names = (JSON.parse(ref ?? '""') as string).split('/').slice(1);
    const found = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], schema);
    expect(found).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'object' }] });
  });

  it('says whether it takes JSON, so that a call’s fields reach it as they are', () => {
    const tool = made(z.object({ input: z.string() }));
    expect(createToolRegistry([tool]).catalogue().tools).toEqual([{ name: 'own', writes: true, takes_json: true }]);
  });
});

describe('definitions of a schema', () => {
  const text = { type: 'string' };
  const list = { type: 'array', items: { $ref: '#/$defs/text' } };

  it('that nothing uses are left out; those that another one uses stay', () => {
    const schema = { type: 'object', properties: { a: { $ref: '#/$defs/list' } }, $defs: { list, text, other: text } };
    expect(modelSchema(schema)).toEqual({ ...schema, $defs: { list, text } });
  });

  it.each(['#text', 'https://example.com/schema#/$defs/text'])('all stay where one is meant by %s', ($ref) => {
    const schema = { type: 'object', properties: { a: { $ref } }, $defs: { list, text } };
    expect(modelSchema(schema)).toEqual(schema);
  });

  it('are found by names with odd characters', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/definitions/a~1b%20c' } },
      definitions: { 'a/b c': text },
    };
    expect(modelSchema(schema)).toEqual(schema);
  });
});

describe('a registry', () => {
  const tool = (name: string): Tool => ({ ...made(z.object({})), name });

  it.each(['plan', 'item_done', 'finish', 'ask_user', 'read_result', 'Finish'])('refuses a tool named %s', (name) => {
    expect(() => createToolRegistry([tool(name)])).toThrow(`A tool cannot have the name "${name}"`);
  });

  it('refuses more tools than models take, and says what to do', () => {
    const many = Array.from({ length: TOOLS_MAX + 1 }, (_, n) => tool(`tool_${n}`));
    expect(TOOLS_MAX).toBe(123);
    expect(() => createToolRegistry(many)).toThrow(/^There are 124 tools, but models accept only 123 .*builtinTools/);
    expect(createToolRegistry(many.slice(1)).list()).toHaveLength(TOOLS_MAX);
  });

  it('tells no model of a tool that is for users, who can call it', () => {
    const registry = createToolRegistry([{ ...tool('own'), isForUsers: true }]);
    expect([registry.catalogue().tools, registry.usage(['own'])]).toEqual([[], []]);
    expect(registry.get('own')?.name).toBe('own');
    expect(registry.list()).toMatchObject([{ name: 'own', for_models: false }]);
  });
});
