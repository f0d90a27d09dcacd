import { JSON_DEPTH_MAX, REASON_ISSUES_MAX } from '../../../contracts/limits.ts';
import { reservedKey } from '../../../contracts/reserved-key.ts';
import { visibleLine } from './clean-text.ts';
import { fieldsOf, isRecord, type JsonSchema, requiredOf, textFieldOf } from './json-schema.ts';

/** Longest field name or parser message that a problem repeats, in characters. */
const QUOTED_CHARS_MAX = 100;

/** What a tool's input string says, or what is wrong with it; types inside are not checked yet. */
export type ReadInput = { value: unknown } | { problem: string };

/** Keywords under which an object may have fields that its own `properties` don't list. */
const OPENING = ['allOf', 'anyOf', 'oneOf', '$ref', 'patternProperties', 'if', 'unevaluatedProperties'];

/** Several problems as one text, the first few of them. */
export const joinProblems = (problems: string[]): string => problems.slice(0, REASON_ISSUES_MAX).join('; ');

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));

/**
 * The fields of a value that its schema doesn't know or misses, one sentence each. A field that the schema leaves open is
 * unknown too: a model that invents `dry_run` must not believe that it was heard.
 */
const fieldProblems = (schema: unknown, value: unknown, path: string): string[] => {
  if (!isRecord(schema)) return [];
  if (Array.isArray(value))
    return value.flatMap((inner, index) => fieldProblems(schema['items'], inner, `${path}[${index}].`));
  if (!isRecord(value) || !isRecord(schema['properties'])) return [];
  const known = new Map(fieldsOf(schema));
  const { additionalProperties } = schema;
  const isOpen =
    (additionalProperties !== undefined && additionalProperties !== false) || OPENING.some((word) => word in schema);
  const quote = (name: string): string => `"${path}${visibleLine(name, QUOTED_CHARS_MAX)}"`;
  return [
    ...requiredOf(schema)
      .filter((name) => !Object.hasOwn(value, name))
      .map((name) => `${quote(name)} is missing`),
    ...Object.keys(value)
      .filter((name) => !isOpen && !known.has(name))
      .map((name) => `there is no field ${quote(name)}`),
    ...Object.entries(value).flatMap(([name, inner]) => fieldProblems(known.get(name), inner, `${path}${name}.`)),
  ];
};

/** The input without the tool's name in front; a bare name counts only before JSON, for it may be the first word of a text. */
const withoutName = (input: string, name: string): string => {
  const text = input.trim();
  if (text === `/${name}` || text === name) return '';
  const slashed = text.startsWith(`/${name}`) ? text.slice(name.length + 1) : null;
  if (slashed !== null && /^[\s{]/.test(slashed)) return slashed.trim();
  const rest = text.startsWith(name) ? text.slice(name.length).trimStart() : '';
  return rest.startsWith('{') ? rest : text;
};

const parseJson = (text: string): ReadInput => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: `This is not valid JSON: ${visibleLine((error as Error).message, QUOTED_CHARS_MAX)}` };
  }
};

/**
 * Reads a tool's input string (SPEC 8), with or without `/name` in front. A schema of a string takes it as it is; one with a
 * single required string field takes what is no JSON object as that field; every other reads JSON, nothing at all being `{}`.
 * Names unknown, missing and reserved fields. Never checks types, which the schema's owner does.
 */
export const readInput = (input: string, name: string, schema: JsonSchema): ReadInput => {
  const text = withoutName(input, name);
  if (schema['type'] === 'string') return { value: text };
  const field = textFieldOf(schema);
  const read = parseJson(text === '' ? '{}' : text);
  if (field !== null && text !== '' && ('problem' in read || !isRecord(read.value)))
    return { value: { [field]: text } };
  if ('problem' in read) return read;
  if (schema['type'] === 'object' && !isRecord(read.value)) return { problem: 'This is JSON, but no object' };
  if (isDeeperThan(read.value, JSON_DEPTH_MAX)) return { problem: `This nests deeper than ${JSON_DEPTH_MAX} levels` };
  const reserved = reservedKey(read.value);
  if (reserved !== null) return { problem: `The key "${reserved}" is not allowed` };
  const problems = fieldProblems(schema, read.value, '');
  return problems.length > 0 ? { problem: joinProblems(problems) } : read;
};
