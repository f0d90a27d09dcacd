import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type JsonSchema, PlanAnswer, ReplanAnswer, ThoughtAnswer } from '../../contracts/answer.ts';
import { structuredSchema } from '../../src/models/asking/contract-schema.ts';
import { catalogue, openTask } from '../support/machine/task-driver.ts';
import { requestFor } from './prompts-request.ts';

const contracts = ['plan', 'thought', 'replan'] as const;

const working = () => openTask().plans('one', 'two');

const schemaOf = (contract: (typeof contracts)[number], task = working()): JsonSchema =>
  structuredSchema(requestFor(contract, task.context))!;

const fits = (schema: JsonSchema, answer: object): boolean =>
  z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(answer).success;

/** Every schema inside a schema, itself first. */
function schemasIn(schema: JsonSchema): JsonSchema[] {
  const children = [
    ...Object.values((schema.properties ?? {}) as Record<string, JsonSchema>),
    ...((schema.anyOf ?? []) as JsonSchema[]),
    ...(schema.items ? [schema.items as JsonSchema] : []),
  ];
  return [schema, ...children.flatMap(schemasIn)];
}

describe.each(contracts)('the structured output schema of %s', (contract) => {
  const all = schemasIn(schemaOf(contract));

  test('closes every object, and requires all of its keys', () => {
    const objects = all.filter(({ type }) => type === 'object');
    expect(objects.length).toBeGreaterThan(1);
    for (const { additionalProperties, required, properties } of objects) {
      expect(additionalProperties).toBe(false);
      expect(required).toEqual(Object.keys(properties as object));
    }
  });

  test('has no keyword that a server would refuse', () => {
    const known = ['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum', 'const'];
    expect(all.flatMap(Object.keys).filter((keyword) => !known.includes(keyword))).toEqual([]);
  });

  test('writes a nullable field as anyOf with null', () => {
    expect(all.filter(({ type }) => Array.isArray(type))).toEqual([]);
  });
});

const nothing = {
  current_step: null,
  next_action: null,
  more_actions: null,
  question: null,
  options: null,
  response: null,
  outcome: null,
};
const act = { ...nothing, status: 'continue', current_step: 'look', next_action: { tool: 'todo', input: 'list' } };
const item = { id: 'a', step: 'another', depends_on: null, executor: null, tools: null, expected: null };

test('what fits it keeps the contract, and what keeps no contract does not fit', () => {
  const plan = { status: 'planned', goal: null, plan: ['a step', item] };
  const replan = { status: 'replanned', plan: [item], response: null, outcome: null };
  expect(fits(schemaOf('plan'), plan) && PlanAnswer.safeParse(plan).success).toBe(true);
  expect(fits(schemaOf('thought'), act) && ThoughtAnswer.safeParse(act).success).toBe(true);
  expect(fits(schemaOf('replan'), replan) && ReplanAnswer.safeParse(replan).success).toBe(true);
  expect(fits(schemaOf('replan'), { ...replan, status: 'keep', plan: [] })).toBe(true);
  expect(fits(schemaOf('thought'), { status: 'continue' })).toBe(false);
  expect(fits(schemaOf('thought'), { ...nothing, status: 'ask_user' })).toBe(false);
  expect(fits(schemaOf('thought'), { ...act, next_action: { tool: 'rm', input: 'x' } })).toBe(false);
  expect(fits(schemaOf('replan'), { ...replan, status: 'planned' })).toBe(false);
});

test('a thought may have more actions of tools that only read, and none without such tools or room', () => {
  const look = (tool: string) => ({ ...act, next_action: { tool, input: 'a' }, more_actions: [{ tool, input: 'b' }] });
  expect(fits(schemaOf('thought'), look('search'))).toBe(true);
  expect(fits(schemaOf('thought'), look('todo'))).toBe(false);
  const withoutReads = openTask({ catalogue: { ...catalogue, tools: catalogue.tools.slice(1) } }).plans('one');
  const atTheEnd = openTask({ limits: { max_steps: 1 } }).plans('one');
  for (const task of [withoutReads, atTheEnd])
    expect(JSON.stringify(schemaOf('thought', task))).not.toContain('more_actions');
});

test('a thought may only have the statuses that are allowed now, and "keep" needs items that are left', () => {
  const request = requestFor('thought', working().context, { may: ['done'] });
  expect(fits(structuredSchema(request)!, act)).toBe(false);
  expect(fits(structuredSchema(request)!, { ...nothing, status: 'done' })).toBe(true);
  expect(JSON.stringify(schemaOf('replan', openTask().plans()))).not.toContain('keep');
});

describe("the structured output schema of a replan with its task's answer", () => {
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const withAnswer = (answer_schema: JsonSchema): JsonSchema | null =>
    structuredSchema(requestFor('replan', openTask({ answer_schema }).context));

  test('has it in the form that servers compile', () => {
    const schema = withAnswer(
      object({ kind: { type: 'string', enum: ['a'], description: 'x' }, n: { oneOf: [{ type: 'null' }] } }),
    );
    const done = (schema!['anyOf'] as JsonSchema[]).at(-1)!;
    const { answer } = done['properties'] as { answer: { anyOf: JsonSchema[] } };
    expect(answer.anyOf[0]).toMatchObject({
      additionalProperties: false,
      required: ['kind', 'n'],
      properties: { n: { anyOf: [{ type: 'null' }] } },
    });
    expect(JSON.stringify(schema)).not.toContain('description');
  });

  test.each([
    [{ type: 'object' }],
    [object({ a: {} })],
    [object({ a: { type: 'array' } })],
    [{ ...object({ a: { type: 'string' } }), additionalProperties: { type: 'string' } }],
  ])('is left out where it cannot be: %j', (answer) => {
    expect(withAnswer(answer)).toBeNull();
  });
});
