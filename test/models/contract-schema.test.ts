import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type JsonSchema, ReplanAnswer, ThoughtAnswer } from '../../contracts/answer.ts';
import { structuredSchemas, withAnswer } from '../../src/models/contract-schema.ts';

const contracts = ['plan', 'thought', 'replan'] as const;

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
  const all = schemasIn(structuredSchemas()[contract]);

  test('closes every object', () => {
    const objects = all.filter(({ type }) => type === 'object');
    expect(objects.length).toBeGreaterThan(1);
    expect(objects.map((schema) => schema.additionalProperties)).toEqual(objects.map(() => false));
  });

  test('has no keyword that a server would refuse', () => {
    const known = ['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'enum', 'const'];
    expect(all.flatMap(Object.keys).filter((keyword) => !known.includes(keyword))).toEqual([]);
  });

  test('writes a nullable field as anyOf with null', () => {
    const nullable = all.filter(({ anyOf }) =>
      (anyOf as JsonSchema[] | undefined)?.some(({ type }) => type === 'null'),
    );
    expect(nullable.length).toBeGreaterThan(0);
    expect(all.filter(({ type }) => Array.isArray(type))).toEqual([]);
  });
});

test('an answer that the contract accepts fits the structured output schema too', () => {
  const thought = {
    status: 'continue',
    current_step: 'look',
    next_action: { tool: 'todo', input: 'list' },
    question: null,
    response: null,
  };
  const replan = {
    status: 'replanned',
    plan: ['a step', { id: 2, step: 'another', depends_on: ['1'] }],
    response: null,
  };
  expect(ThoughtAnswer.safeParse(thought).success && ReplanAnswer.safeParse(replan).success).toBe(true);
  expect(z.fromJSONSchema(structuredSchemas()['thought']).safeParse(thought).success).toBe(true);
  expect(z.fromJSONSchema(structuredSchemas()['replan']).safeParse(replan).success).toBe(true);
  expect(z.fromJSONSchema(structuredSchemas()['replan']).safeParse({ ...replan, status: 'planned' }).success).toBe(
    false,
  );
});

describe("the structured output schema of a replan with its task's answer", () => {
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const { replan } = structuredSchemas();

  test('has it in the form that servers compile', () => {
    const schema = withAnswer(
      replan,
      object({ kind: { type: 'string', enum: ['a'], description: 'x' }, n: { oneOf: [{ type: 'null' }] } }),
    );
    expect(schema?.properties).toMatchObject({
      answer: {
        additionalProperties: false,
        required: ['kind', 'n'],
        properties: { n: { anyOf: [{ type: 'null' }] } },
      },
    });
    expect(JSON.stringify(schema)).not.toContain('description');
  });

  test.each([
    [{ type: 'object' }],
    [object({ a: {} })],
    [object({ a: { type: 'array' } })],
    [{ ...object({ a: { type: 'string' } }), additionalProperties: { type: 'string' } }],
  ])('is left out where it can not be: %j', (answer) => {
    expect(withAnswer(replan, answer)).toBeNull();
  });
});
