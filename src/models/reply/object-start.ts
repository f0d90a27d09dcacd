import { skipBlanks } from './blanks.ts';
import { KNOWN_KEYS } from './known-keys.ts';
import { type Allowance, mayRead } from './parse-value.ts';
import { isQuote } from './strings.ts';

/**
 * What a brace opens: an `object`; a `named` one, whose first key is a bare word that no contract knows; one whose quotes are
 * `escaped` or HTML `entities`; `cut` where the text ends too soon to know; or null: braces of prose, such as `{x}`.
 */
export type ObjectStart = 'object' | 'named' | 'escaped' | 'entities' | 'cut' | null;

const ESCAPED_QUOTE = /(?:\s|\\[nrt]){0,200}\\["']/y;
const QUOTE_ENTITY =
  /(?:\s|&(?:nbsp|#0*10|#x0*a|NewLine);){0,200}&(?:quot|QUOT|apos|ldquo|lsquo|#0{0,4}3[49]|#[xX]0{0,4}2[27]);/y;
/** Characters that start no word: tested first, since braces before it are many in hostile text. */
const PUNCTUATION = '{[(<>)].;!?=+-*/|%^~@';
const WORD =
  /[A-Za-z_$\u00C0-\u024F\u0370-\u1FFF\u3040-\u9FFF\uAC00-\uD7AF][\w$\u00C0-\u024F\u0370-\u1FFF\u3040-\u9FFF\uAC00-\uD7AF-]{0,63}/y;

/**
 * Inspects what follows the brace at `brace`, past blanks, comments and commas: null too where a comment was passed too often, for each brace in
 * one begins another.
 */
export const objectStart = (text: string, brace: number, left: Allowance): ObjectStart => {
  if (!mayRead(text, brace, left)) return null;
  const behindBlanks = (from: number): number => {
    const behind = skipBlanks(text, from);
    left.chars -= behind - from;
    return behind;
  };
  let at = behindBlanks(brace + 1);
  while (text[at] === ',' || text[at] === '，') at = behindBlanks(at + 1);
  const char = text[at];
  if (char === undefined) return 'cut';
  if (char === '\\') return matches(ESCAPED_QUOTE, text, at) ? 'escaped' : null;
  if (char === '&') return matches(QUOTE_ENTITY, text, at) ? 'entities' : null;
  if (PUNCTUATION.includes(char)) return null;
  if (isQuote(char) || char === '}' || char === '｝') return 'object';
  if (!matches(WORD, text, at)) return null;
  const word = text.slice(at, WORD.lastIndex);
  const next = text[behindBlanks(WORD.lastIndex)];
  if (next === undefined) return 'cut';
  // A string of Python that says it is Unicode.
  if (word === 'u' && isQuote(next)) return 'object';
  if (next !== ':' && next !== '：') return null;
  return KNOWN_KEYS.has(word) ? 'object' : 'named';
};

/** True for a colon at `colon` whose key is quoted or known: braces that hold one were meant as an object. */
export const endsKey = (text: string, colon: number): boolean => {
  let end = colon;
  while (end > colon - BLANKS_BEFORE_COLON && isBlank(text.charCodeAt(end - 1))) end -= 1;
  if (isQuote(text[end - 1] ?? '')) return true;
  let start = end;
  while (start > end - KEY_CHARS_MAX && isWord(text.charCodeAt(start - 1))) start -= 1;
  return KNOWN_KEYS.has(text.slice(start, end));
};

/** Blanks between a key and its colon, and characters of a known key, that are looked at. */
const BLANKS_BEFORE_COLON = 16;
const KEY_CHARS_MAX = 24;

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);
const isWord = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};
