import type { z } from 'zod';
import { JSON_DEPTH_MAX, REASON_ISSUES_MAX } from '../../../contracts/limits.ts';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import { reservedKey } from '../../../contracts/reserved-keys.ts';
import { type Language, plainLine } from '../../../contracts/text.ts';
import { hasRoundedNumber } from '../../lib/exact-json.ts';

/** Longest schema in a usage, in characters: people read it. A model gets the whole schema in its list of tools. */
const USAGE_CHARS_MAX = 2_000;

/** Longest description, name or value inside a schema, in characters. */
const TEXT_CHARS_MAX = 200;

/**
 * Whether a reader learns nothing from it: the dialect, unknown fields (always refused), the bounds of "any integer", a
 * format's pattern.
 */
const isNoise = (key: string, value: unknown, schema: Record<string, unknown>): boolean => {
  switch (key) {
    case '$schema':
      return typeof value === 'string';
    case 'additionalProperties':
      return value === false;
    case 'pattern':
      return typeof value === 'string' && typeof schema['format'] === 'string';
    case 'minimum':
    case 'maximum':
      return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
    default:
      return false;
  }
};

/** Writes a schema on one line, without noise and with shortened texts. */
const compactJson = (schema: JsonSchema): string =>
  JSON.stringify(schema, function (this: Record<string, unknown>, key, value: unknown) {
    if (isNoise(key, value, this)) return undefined;
    return typeof value === 'string' ? plainLine(value, TEXT_CHARS_MAX) : value;
  });

/**
 * A tool's usage: its JSON Schema on one line without noise, or where to find it if that is longer than
 * `USAGE_CHARS_MAX`.
 */
export const describeInput = (schema: JsonSchema, language: Language): string => {
  const texts = messages(language).toolInput;
  if (schema['type'] === 'string') return texts.plainText;
  const text = textFieldOf(schema);
  const head = text === null ? texts.jsonOf : texts.textOrJsonOf(plainLine(text, TEXT_CHARS_MAX));
  const json = compactJson(schema).replace(/\p{Cf}/gu, '');
  return json.length > USAGE_CHARS_MAX ? texts.longSchema(json.length) : `${head}\n${json}`;
};

/** A JSON Schema from zod or from a third-party server: any key may have any value. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a value is an object with named fields, not a list or null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema's fields in order, each with its own schema; empty if it lists no fields. */
const fieldsOf = ({ properties }: JsonSchema): Map<string, unknown> =>
  new Map(Object.entries(isRecord(properties) ? properties : {}));

const requiredOf = ({ required }: JsonSchema): string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];

/** The field that plain text stands for: the schema's only field, if that is a required string. Else null. */
const textFieldOf = (schema: JsonSchema): string | null => {
  const [[name = '', field] = [], ...more] = fieldsOf(schema);
  const isText = more.length === 0 && isRecord(field) && field['type'] === 'string';
  return isText && requiredOf(schema).includes(name) ? name : null;
};

/** Longest field name or parser message that a problem repeats, in characters. */
const QUOTED_CHARS_MAX = 100;

/** The value of a tool's input string, or its problems; types inside are not checked yet. */
type ReadInput = { value: unknown } | { problems: string[] };

type Texts = Messages['toolInput'];

/** The problems of an input that its schema refuses, as many as a message lists. */
export const problemsOf = (issues: readonly z.core.$ZodIssue[], language: Language): string[] => {
  const { toolInput, validation } = messages(language);
  return issues.slice(0, REASON_ISSUES_MAX).map((issue) => {
    const problem = validation.issue(issue);
    return issue.path.length === 0 ? problem : toolInput.invalidField(`"${issue.path.join('.')}"`, problem);
  });
};

/** Keywords by which an object may have fields that its own `properties` do not list. */
const OPEN_KEYWORDS = ['allOf', 'anyOf', 'oneOf', '$ref', 'patternProperties', 'if', 'unevaluatedProperties'];

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1)));

/**
 * Names the unknown and missing fields of a value. A field that the schema merely tolerates is unknown: a model must
 * not believe that its `dry_run` took effect.
 */
const fieldProblems = (schema: unknown, value: unknown, path: string, texts: Texts): string[] => {
  if (!isRecord(schema)) return [];
  if (Array.isArray(value))
    return value.flatMap((inner, index) => fieldProblems(schema['items'], inner, `${path}[${index}].`, texts));
  if (!isRecord(value) || !isRecord(schema['properties'])) return [];
  const fields = fieldsOf(schema);
  const { additionalProperties = false } = schema;
  const isOpen = additionalProperties !== false || OPEN_KEYWORDS.some((word) => word in schema);
  const quote = (name: string): string => `"${path}${plainLine(name, QUOTED_CHARS_MAX)}"`;
  const missing = requiredOf(schema).filter((name) => !Object.hasOwn(value, name));
  const unknown = isOpen ? [] : Object.keys(value).filter((name) => !fields.has(name));
  const below = Object.entries(value).flatMap(([name, inner]) =>
    fieldProblems(fields.get(name), inner, `${path}${name}.`, texts),
  );
  return [
    ...missing.map((name) => texts.missingField(quote(name))),
    ...unknown.map((name) => texts.unknownField(quote(name))),
    ...below,
  ];
};

/**
 * The input without the tool's name in front. The bare name counts only before JSON, as it may be the first word of a
 * text.
 */
const withoutName = (input: string, name: string): string => {
  const text = input.trim();
  if (text === `/${name}` || text === name) return '';
  const slashed = text.startsWith(`/${name}`) ? text.slice(name.length + 1) : null;
  if (slashed !== null && /^[\s{]/.test(slashed)) return slashed.trim();
  const rest = text.startsWith(name) ? text.slice(name.length).trimStart() : '';
  return rest.startsWith('{') ? rest : text;
};

/**
 * Parses a tool's input string as JSON, or as its one text field (SPEC 8). Names unknown, missing and reserved fields;
 * never checks types.
 */
export const readInput = (input: string, name: string, schema: JsonSchema, language: Language): ReadInput => {
  const texts = messages(language).toolInput;
  const text = withoutName(input, name);
  if (schema['type'] === 'string') return { value: text };
  const field = textFieldOf(schema);
  let value: unknown;
  try {
    value = JSON.parse(text === '' ? '{}' : text);
  } catch (error) {
    if (field !== null) return { value: { [field]: text } };
    return { problems: [texts.invalidJson(plainLine((error as Error).message, QUOTED_CHARS_MAX))] };
  }
  if (!isRecord(value) && field !== null) return { value: { [field]: text } };
  if (!isRecord(value) && schema['type'] === 'object') return { problems: [texts.notAnObject] };
  if (hasRoundedNumber(text)) return { problems: [texts.roundedNumber] };
  if (isDeeperThan(value, JSON_DEPTH_MAX)) return { problems: [texts.tooDeep(JSON_DEPTH_MAX)] };
  const reserved = reservedKey(value);
  if (reserved !== null) return { problems: [texts.reservedKey(reserved)] };
  const problems = fieldProblems(schema, value, '', texts).slice(0, REASON_ISSUES_MAX);
  return problems.length > 0 ? { problems } : { value };
};
