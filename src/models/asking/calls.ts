import type { Call } from '../../../contracts/calls.ts';
import { JSON_DEPTH_MAX } from '../../../contracts/limits.ts';
import { hasRoundedNumber } from '../../lib/exact-json.ts';

/** Longest part shown of arguments that cannot be parsed, in characters. */
const UNREADABLE_CHARS_MAX = 1_000;

/** JSON strings; brackets inside them do not nest. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;

/** The nesting depth of valid JSON, computed without recursion, which a model could make too deep. */
const depthOf = (json: string): number => {
  let depth = 0;
  let deepest = 0;
  for (const bracket of json.replace(STRING, '').match(/[[\]{}]/g) ?? []) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

/** The JSON text of arguments; null: nested too deep to be serialized. */
const jsonOf = (given: unknown): string | null => {
  try {
    return JSON.stringify(given);
  } catch {
    return null;
  }
};

const objectIn = (json: string): Record<string, unknown> | null => {
  try {
    const value = JSON.parse(json) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
};

/** Whether arguments that came as JSON text are a complete object. Those of a message that was cut may not be. */
export const isWhole = (json: string): boolean => objectIn(json) !== null;

/**
 * A call of a model's message, with arguments as the provider gave them: their JSON text, or the result of
 * `parseExactly`. Arguments that parsing would change are not used; the call is refused when its turn comes. Never
 * throws.
 */
export const readCall = (name: string, given: unknown): Call => {
  const json = typeof given === 'string' ? given.trim() : jsonOf(given ?? {});
  if (json === null) return { name, input: {}, unreadable: '', fault: 'too_deep' };
  if (json === '') return { name, input: {} };
  const input = objectIn(json);
  const unreadable = json.slice(0, UNREADABLE_CHARS_MAX);
  if (input === null) return { name, input: {}, unreadable };
  if (hasRoundedNumber(json)) return { name, input: {}, unreadable, fault: 'rounded_number' };
  if (depthOf(json) > JSON_DEPTH_MAX) return { name, input: {}, unreadable, fault: 'too_deep' };
  return { name, input };
};
