import { messages } from '../../../contracts/messages/messages.ts';
import { cutText, type Language, plainLine } from '../../../contracts/text.ts';
import { type JsonSchema, textFieldOf } from './read-input.ts';

/** Longest usage of one tool, in characters: every plan's prompt holds that of all tools. */
export const USAGE_CHARS_MAX = 2_000;

/** Longest description, name or value inside a schema, in characters. */
const TEXT_CHARS_MAX = 200;

/** Whether a reader learns nothing from it: the dialect, unknown fields (always refused), the bounds of "any integer", a format's pattern. */
const isNoise = (key: string, value: unknown, schema: Record<string, unknown>): boolean =>
  (key === '$schema' && typeof value === 'string') ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'pattern' && typeof value === 'string' && typeof schema['format'] === 'string') ||
  ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER);

/** Writes a schema on one line, without noise and with its texts cut. */
const compactJson = (schema: JsonSchema): string =>
  JSON.stringify(schema, function (this: Record<string, unknown>, key, value: unknown) {
    if (isNoise(key, value, this)) return undefined;
    return typeof value === 'string' ? plainLine(value, TEXT_CHARS_MAX) : value;
  });

/**
 * Writes a tool's usage, for people and models: its JSON Schema on one line, without what says nothing. Holds no
 * control characters inside that line and at most `USAGE_CHARS_MAX` characters.
 */
export const describeInput = (schema: JsonSchema, language: Language): string => {
  const texts = messages(language).toolInput;
  if (schema['type'] === 'string') return texts.plainText;
  const text = textFieldOf(schema);
  const head = text === null ? texts.jsonOf : texts.textOrJsonOf(plainLine(text, TEXT_CHARS_MAX));
  return cutText(`${head}\n${compactJson(schema).replace(/\p{Cf}/gu, '')}`, USAGE_CHARS_MAX);
};
