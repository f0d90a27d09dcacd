import { z } from 'zod';
import type { JsonSchema } from './answer.ts';

/** Longest stored answer schema, in characters of JSON. It is part of every prompt that may end its task. */
export const ANSWER_SCHEMA_CHARS_MAX = 16_000;

/**
 * Deepest nesting of an answer schema, in levels, and most subschemas in it with references resolved. Each value of an
 * answer is checked against them.
 */
const DEPTH_MAX = 10;
const SCHEMAS_MAX = 300;

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Type = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const Format = z.enum(['email', 'uri', 'uuid', 'date-time', 'date', 'time', 'duration', 'hostname', 'ipv4', 'ipv6']);
const count = z.number().int().min(0).optional();
const number = z.number().optional();

/** The keywords that an answer is checked against. Others are refused: an ignored keyword would be a broken promise. */
const Keywords = z.strictObject({
  description: z.string().optional(),
  type: z.union([Type, z.array(Type).min(1)]).optional(),
  enum: z.array(Scalar).min(1).optional(),
  const: Scalar.optional(),
  anyOf: z.array(z.unknown()).min(1).optional(),
  oneOf: z.array(z.unknown()).min(1).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
  items: z.unknown().optional(),
  minItems: count,
  maxItems: count,
  uniqueItems: z.boolean().optional(),
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  format: Format.optional(),
  pattern: z.string().optional(),
});
type Keywords = z.infer<typeof Keywords>;

/** Keywords that do not constrain the answer. */
const LEFT_OUT = new Set(
  '$schema $id id $comment $defs definitions title default examples discriminator deprecated readOnly writeOnly'.split(
    ' ',
  ),
);

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schema that a reference within `root` points to. */
const referred = (root: JsonSchema, ref: unknown): unknown => {
  const names = String(ref).split('/').slice(1);
  const steps = names.map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return String(ref).startsWith('#/')
    ? steps.reduce<unknown>((at, step) => (isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined), root)
    : undefined;
};

/** Why a schema is not supported, and where. */
class Unmet extends Error {
  readonly path: readonly string[];
  constructor(path: readonly string[], message: string) {
    super(message);
    this.path = path;
  }
}

/** Why these keywords cannot be combined, as only some of them would be checked; null where they can. */
const conflictOf = ({ description: _, type, ...keywords }: Keywords): string | null => {
  const { properties = {}, required = [] } = keywords;
  const names = Object.keys(keywords);
  const exclusive = names.find((name) => ['enum', 'const', 'anyOf', 'oneOf'].includes(name));
  const isChoice = exclusive === 'anyOf' || exclusive === 'oneOf';
  if (exclusive !== undefined && (names.length > 1 || (isChoice && type !== undefined)))
    return `has other keywords beside "${exclusive}"`;
  if (exclusive === undefined && names.length > 0 && type === undefined) return 'has no "type"';
  const unknown = required.find((name) => !Object.hasOwn(properties, name));
  return unknown === undefined ? null : `requires "${unknown}", which is not in its "properties"`;
};

/** True for a pattern that zod writes beside a format. Any other pattern could take unbounded time to match. */
const isOfFormat = (pattern: string): boolean => {
  const { date, time, duration, datetime } = z.iso;
  const dates = [date(), time(), duration(), datetime(), datetime({ offset: true }), datetime({ local: true })];
  return [z.email(), z.uuid(), z.ipv4(), z.ipv6(), ...dates].some(
    (format) => z.toJSONSchema(format).pattern === pattern,
  );
};

/** A schema with its references resolved and its annotations removed. Throws `Unmet`. */
const plainSchema = (root: JsonSchema): JsonSchema => {
  let left = SCHEMAS_MAX;
  const read = (given: unknown, path: readonly string[], depth: number): JsonSchema => {
    if (!isRecord(given)) throw new Unmet(path, 'must be a schema');
    left -= 1;
    if (left < 0) throw new Unmet([], `has more than ${SCHEMAS_MAX} schemas in it, or refers to itself`);
    if (depth > DEPTH_MAX) throw new Unmet(path, `nests deeper than ${DEPTH_MAX} levels`);
    const { $ref, ...said } = given;
    if ($ref !== undefined) {
      const meant = referred(root, $ref);
      if (!isRecord(meant)) throw new Unmet([...path, '$ref'], 'must refer to a schema in this one');
      return read({ ...meant, ...said }, path, depth);
    }
    const { data, error } = Keywords.safeParse(
      Object.fromEntries(Object.entries(said).filter(([name]) => !LEFT_OUT.has(name))),
    );
    if (data === undefined) {
      const [issue] = error.issues;
      throw new Unmet([...path, ...issue!.path.map(String)], issue!.message);
    }
    if (data.pattern !== undefined && !isOfFormat(data.pattern))
      throw new Unmet([...path, 'pattern'], 'cannot be checked; use "format" or "enum" instead');
    const conflict = conflictOf(data);
    if (conflict !== null) throw new Unmet(path, conflict);
    const { properties, items, additionalProperties, anyOf, oneOf, ...others } = data;
    const inside = (schema: unknown, ...at: (string | number)[]) =>
      read(schema, [...path, ...at.map(String)], depth + 1);
    const named = Object.entries(properties ?? {}).map(([name, of]) => [name, inside(of, 'properties', name)]);
    return {
      ...others,
      ...(properties !== undefined && { properties: Object.fromEntries(named) }),
      ...(items !== undefined && { items: inside(items, 'items') }),
      ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
      ...(isRecord(additionalProperties) && {
        additionalProperties: inside(additionalProperties, 'additionalProperties'),
      }),
      ...(anyOf !== undefined && { anyOf: anyOf.map((of, i) => inside(of, 'anyOf', i)) }),
      ...(oneOf !== undefined && { oneOf: oneOf.map((of, i) => inside(of, 'oneOf', i)) }),
    };
  };
  const plain = read(root, [], 1);
  if (plain['type'] !== 'object') throw new Unmet(['type'], 'must be "object" at the top');
  const chars = JSON.stringify(plain).length;
  if (chars > ANSWER_SCHEMA_CHARS_MAX)
    throw new Unmet([], `has ${chars} characters; at most ${ANSWER_SCHEMA_CHARS_MAX} are allowed`);
  return plain;
};

/**
 * The JSON Schema that a turn's answer must meet, as a task stores it: without references (SPEC 5). Refuses keywords
 * that answers are not checked against.
 */
export const AnswerSchema = z.record(z.string(), z.unknown()).transform((given, ctx): JsonSchema => {
  try {
    return plainSchema(given);
  } catch (error) {
    const { path = [], message } = error as Partial<Unmet>;
    ctx.issues.push({ code: 'custom', path: [...path], message: message ?? 'is not a schema', input: given });
    return z.NEVER;
  }
});
