import { plainLine } from '../../../contracts/plain-line.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { exampleOf } from './example-input.ts';
import { fieldsOf, isRecord, type JsonSchema, requiredOf, textFieldOf } from './json-schema.ts';

/** Longest usage of one tool, in characters: every plan's prompt contains that of all tools. */
export const USAGE_CHARS_MAX = 2_000;

/** Fields of an input that its usage lists. */
const FIELDS_SHOWN_MAX = 40;

/** Longest description of one field, in characters. */
const FIELD_CHARS_MAX = 200;

/** Longest name or allowed value, in characters. */
const WORD_CHARS_MAX = 60;

/** Allowed values or variants of one field that its usage names. */
const CHOICES_SHOWN_MAX = 20;

/** Levels of objects and lists that are described: below it stands "object". */
const DEPTH_MAX = 3;

const asJson = (value: unknown, max: number): string => plainLine(JSON.stringify(value) ?? 'null', max);

/** What a local reference (`#/$defs/Name`) points to; nothing for any other. */
const resolve = (schema: JsonSchema, root: JsonSchema): JsonSchema => {
  const [, group, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(schema['$ref'])) ?? [];
  const defined = group === undefined ? undefined : root[group];
  const target = isRecord(defined) && Object.hasOwn(defined, name!) ? defined[name!] : undefined;
  return isRecord(target) ? target : schema;
};

/** zod and others write "any integer" as the bounds of a safe one. */
const isBound = (bound: unknown): bound is number =>
  typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

const numberWords = (word: string, { minimum, maximum }: JsonSchema): string => {
  if (isBound(minimum) && isBound(maximum)) return `${word} ${minimum} to ${maximum}`;
  if (isBound(minimum)) return `${word} from ${minimum}`;
  return isBound(maximum) ? `${word} up to ${maximum}` : word;
};

const typeWords = (given: unknown, root: JsonSchema, depth: number): string => {
  if (!isRecord(given)) return 'anything';
  const schema = resolve(given, root);
  const variants = schema['anyOf'] ?? schema['oneOf'];
  if ('const' in schema) return asJson(schema['const'], WORD_CHARS_MAX);
  if (Array.isArray(schema['enum']))
    return schema['enum']
      .slice(0, CHOICES_SHOWN_MAX)
      .map((choice) => asJson(choice, WORD_CHARS_MAX))
      .join(' | ');
  if (depth >= DEPTH_MAX) return 'object';
  if (Array.isArray(variants)) {
    const words = variants.slice(0, CHOICES_SHOWN_MAX).map((variant) => typeWords(variant, root, depth + 1));
    return [...new Set(words)].join(' | ');
  }
  const types: unknown[] = Array.isArray(schema['type'])
    ? schema['type'].slice(0, CHOICES_SHOWN_MAX)
    : [schema['type']];
  return types.map((type) => wordsOfType(type, schema, root, depth)).join(' | ');
};

const wordsOfType = (type: unknown, schema: JsonSchema, root: JsonSchema, depth: number): string => {
  switch (type) {
    case 'string':
      return typeof schema['format'] === 'string' ? `string, ${plainLine(schema['format'], WORD_CHARS_MAX)}` : 'string';
    case 'integer':
    case 'number':
      return numberWords(type, schema);
    case 'boolean':
      return 'true | false';
    case 'null':
      return 'null';
    case 'array':
      return `list of ${typeWords(schema['items'], root, depth + 1)}`;
    case 'object': {
      const required = requiredOf(schema);
      const fields = fieldsOf(schema).slice(0, FIELDS_SHOWN_MAX);
      const words = fields.map(([name, field]) => {
        const mark = required.includes(name) ? '' : '?';
        return `${plainLine(name, WORD_CHARS_MAX)}${mark}: ${typeWords(field, root, depth + 1)}`;
      });
      return words.length > 0 ? `{${words.join(', ')}}` : 'object';
    }
    default:
      return 'anything';
  }
};

const fieldLine = (name: string, given: JsonSchema, root: JsonSchema): string => {
  const field = resolve(given, root);
  const isRequired = requiredOf(root).includes(name);
  const standard = field['default'] === undefined ? '' : `, default ${asJson(field['default'], WORD_CHARS_MAX)}`;
  const description = given['description'] ?? field['description'];
  const suffix = typeof description === 'string' ? `: ${plainLine(description, FIELD_CHARS_MAX)}` : '';
  const type = typeWords(field, root, 0);
  return `- ${plainLine(name, WORD_CHARS_MAX)} (${type}, ${isRequired ? 'required' : 'optional'}${standard})${suffix}`;
};

/**
 * How a tool's input is written, made from its JSON Schema for people and models: the fields with their types and
 * descriptions, and one line of example. Contains no control characters and at most `USAGE_CHARS_MAX` characters.
 */
export const describeInput = (schema: JsonSchema): string => {
  const example = `Example: ${asJson(exampleOf(schema), FIELD_CHARS_MAX)}`;
  const fields = fieldsOf(schema);
  if (schema['type'] === 'string') return 'Plain text, taken as it is.';
  if (fields.length === 0 && schema['type'] === 'object') return 'A JSON object. Example: {}';
  if (fields.length === 0) return cutText(`JSON: ${typeWords(schema, schema, 0)}\n${example}`, USAGE_CHARS_MAX);
  const text = textFieldOf(schema);
  const head =
    text === null
      ? 'A JSON object with:'
      : `The ${plainLine(text, WORD_CHARS_MAX)} alone as plain text, or a JSON object with:`;
  const lines = fields.slice(0, FIELDS_SHOWN_MAX).map(([name, field]) => fieldLine(name, field, schema));
  const left = fields.length - lines.length;
  const more = left > 0 ? [`- and ${left} more`] : [];
  return cutText([head, ...lines, ...more, example].join('\n'), USAGE_CHARS_MAX);
};
