import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AnswerSchema } from '../../contracts/answer-schema.ts';

const deep = (levels: number): object => ({
  type: 'object',
  ...(levels > 1 && { properties: { a: deep(levels - 1) } }),
});
const property = (a: unknown) => ({ type: 'object', properties: { a } });

describe('The schema of an answer', () => {
  test('is kept without references and without parts that do not describe an answer', () => {
    const given = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'T',
      ...property({ $ref: '#/$defs/kind', description: 'which', default: 'a' }),
      $defs: { kind: { type: 'string', enum: ['a', 'b'] } },
    };
    const kept = property({ description: 'which', type: 'string', enum: ['a', 'b'] });
    expect(AnswerSchema.parse(given)).toEqual(kept);
    expect(AnswerSchema.parse(kept)).toEqual(kept);
  });

  test('may be what zod writes', () => {
    const schema = z.object({
      mail: z.email(),
      at: z.iso.datetime(),
      kind: z.enum(['a', 'b']),
      sizes: z.array(z.int().min(1)).max(3),
      note: z.string().nullable(),
      one: z.union([z.string(), z.object({ n: z.number() })]).optional(),
    });
    expect(AnswerSchema.safeParse(z.toJSONSchema(schema)).error).toBeUndefined();
    expect(AnswerSchema.safeParse(deep(10)).error).toBeUndefined();
  });

  test.each<[what: string, schema: object, says: RegExp]>([
    ['has no object at the top', { type: 'string' }, /must be "object" at the top/],
    ['has a keyword that is not checked', { type: 'object', patternProperties: {} }, /patternProperties/],
    ['has a format that is not checked', property({ type: 'string', format: 'color' }), /"email"/],
    ['has a pattern that could take for ever', property({ type: 'string', pattern: '^(a+)+$' }), /cannot be checked/],
    ['limits values of no type', property({ minLength: 3 }), /has no "type"/],
    ['limits what an enum lists', property({ enum: ['a'], minLength: 3 }), /other keywords beside "enum"/],
    ['chooses beside a type', property({ type: 'string', anyOf: [{ type: 'string' }] }), /beside "anyOf"/],
    ['requires what it does not know', { type: 'object', required: ['b'] }, /requires "b"/],
    ['refers to another document', property({ $ref: 'https://x.example/s' }), /must refer to a schema in this one/],
    [
      'refers to itself',
      { ...property({ $ref: '#/$defs/a' }), $defs: { a: { $ref: '#/$defs/a' } } },
      /refers to itself/,
    ],
    ['nests too deep', deep(11), /deeper than 10/],
    [
      'doubles at each level',
      Object.assign(property({ $ref: '#/$defs/d0' }), { $defs: doubled(20) }),
      /more than 300|deeper/,
    ],
    ['is too long', { type: 'object', description: 'x'.repeat(16_000) }, /at most 16000 are allowed/],
  ])('is refused where it %s', (_, schema, says) => {
    const { error } = AnswerSchema.safeParse(schema);
    expect(error && z.prettifyError(error)).toMatch(says);
  });
});

function doubled(levels: number): object {
  return Object.fromEntries(
    Array.from({ length: levels }, (_, i) => [`d${i}`, { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i + 1}` })) }]),
  );
}
