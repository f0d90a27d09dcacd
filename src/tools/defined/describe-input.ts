import type { Language } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { plainLine } from '../../../contracts/plain-line.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { isRecord, type JsonSchema, textFieldOf } from './json-schema.ts';

/** Longest usage of one tool, in characters: every plan's prompt holds that of all tools. */
export const USAGE_CHARS_MAX = 2_000;

/** Longest description, name or value inside a schema, in characters. */
const TEXT_CHARS_MAX = 200;

/** What a reader learns nothing from: the dialect, unknown fields (always refused), the bounds of "any integer", a format's pattern. */
const isNoise = (key: string, value: unknown, schema: Record<string, unknown>): boolean =>
  (key === '$schema' && typeof value === 'string') ||
  (key === 'additionalProperties' && value === false) ||
  (key === 'pattern' && typeof value === 'string' && typeof schema['format'] === 'string') ||
  ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER);

/** What is taken off for a text: what lies beyond as many characters as are shown would be cut in any case. */
const take = (text: string, left: { chars: number }): string => {
  left.chars -= Math.min(text.length, TEXT_CHARS_MAX);
  return plainLine(text, TEXT_CHARS_MAX);
};

/** A copy of a schema, or of a part, without noise and control characters, and of no more than `left.chars` values and characters. */
const compact = (value: unknown, left: { chars: number }): unknown => {
  left.chars -= 1;
  if (typeof value === 'string') return take(value, left);
  if (Array.isArray(value)) {
    const shown: unknown[] = [];
    for (const inner of value) {
      if (left.chars <= 0) break;
      shown.push(compact(inner, left));
    }
    return shown;
  }
  if (!isRecord(value)) return value;
  const shown: [key: string, value: unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (left.chars <= 0) break;
    if (!isNoise(key, inner, value)) shown.push([take(key, left), compact(inner, left)]);
  }
  return Object.fromEntries(shown);
};

/**
 * How a tool's input is written, for people and models: its JSON Schema on one line, without what says nothing. Holds no
 * control characters inside that line and at most `USAGE_CHARS_MAX` characters.
 */
export const describeInput = (schema: JsonSchema, language: Language): string => {
  const texts = messages(language).toolInput;
  if (schema['type'] === 'string') return texts.plainText;
  const text = textFieldOf(schema);
  const head = text === null ? texts.jsonOf : texts.textOrJsonOf(plainLine(text, TEXT_CHARS_MAX));
  return cutText(`${head}\n${JSON.stringify(compact(schema, { chars: USAGE_CHARS_MAX }))}`, USAGE_CHARS_MAX);
};
