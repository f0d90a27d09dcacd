import { JSON_DEPTH_MAX } from '../../../contracts/limits.ts';
import { RESERVED_KEYS } from '../../../contracts/reserved-key.ts';
import { isRecord } from './known-keys.ts';
import { TOKENS_MAX } from './limits.ts';

/** Longest text tried, in characters: one so short holds no more tokens than an object may. */
const CHARS_MAX = TOKENS_MAX;

const isNestedIn = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isNestedIn(inner, levels - 1)));

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * The object that a text is and nothing else, written as `JSON.stringify` writes it, as most models do: then no key stands twice in it,
 * and the scanner would find the same. Null for every other text, which is to be scanned.
 */
export const plainObject = (text: string): Record<string, unknown> | null => {
  if (text[0] !== '{' || text.length > CHARS_MAX || RESERVED_KEYS.some((key) => text.includes(key))) return null;
  const value = parse(text);
  return isRecord(value) && isNestedIn(value, JSON_DEPTH_MAX) && JSON.stringify(value) === text ? value : null;
};
