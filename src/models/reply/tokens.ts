import { skipBlanks } from './blanks.ts';
import { isQuote, type ReadString, readString } from './strings.ts';

/** One piece of an object's text, from `start` up to but not including `end`. A `word` is anything outside quotes. */
export type Token =
  | { kind: 'open'; start: number; end: number; closer: string }
  | { kind: 'close'; start: number; end: number; closer: string }
  | { kind: 'comma' | 'colon' | 'plus'; start: number; end: number }
  | ({ kind: 'string'; start: number } & ReadString)
  | { kind: 'word'; start: number; end: number; word: string };

const OPENERS: Record<string, string> = { '{': '}', '[': ']', '(': ')', '｛': '}', '［': ']' };
const CLOSERS: Record<string, string> = { '}': '}', ']': ']', ')': ')', '｝': '}', '］': ']' };
const SEPARATORS: Record<string, 'comma' | 'colon'> = { ',': 'comma', '，': 'comma', ':': 'colon', '：': 'colon' };

const WORD = /[^\s\u00AD\u200B-\u200F\u2060{}[\](),:，：｛｝［］"“”/#]+|[/#]/y;
const PREFIXED = /[uU](?=["'])/y;
const JOINS = /\+(?![\d.])/y;

/** The token at or after `from`, past blanks and comments; null when the text ends first, also within a string or comment. */
export const nextToken = (text: string, from: number): Token | null => {
  const start = skipBlanks(text, from);
  const char = text[start];
  if (char === undefined) return null;
  const end = start + 1;
  const opens = OPENERS[char];
  if (opens !== undefined) return { kind: 'open', start, end, closer: opens };
  const closes = CLOSERS[char];
  if (closes !== undefined) return { kind: 'close', start, end, closer: closes };
  const separator = SEPARATORS[char];
  if (separator !== undefined) return { kind: separator, start, end };
  if (isQuote(char)) return stringToken(start, readString(text, start));
  if ((char === 'u' || char === 'U') && matches(PREFIXED, text, start))
    return stringToken(start, readString(text, end));
  if (char === '+' && matches(JOINS, text, start)) return { kind: 'plus', start, end };
  matches(WORD, text, start);
  return { kind: 'word', start, end: WORD.lastIndex, word: text.slice(start, WORD.lastIndex) };
};

const stringToken = (start: number, string: ReadString | null): Token | null =>
  string && { kind: 'string', start, ...string };

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};
