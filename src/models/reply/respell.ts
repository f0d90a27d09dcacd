import { JSON_DEPTH_MAX } from '../../../contracts/limits.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';
import { RESERVED_KEYS } from '../../../contracts/reserved-keys.ts';
import { isRounded } from '../../lib/exact-json.ts';

/** Why JSON cannot be parsed, in a given language. */
export type Fault = (texts: Messages['modelReply']['fault']) => string;

export const CUT_OFF: Fault = ({ cutOff }) => cutOff;
export const GUESS: Fault = ({ guess }) => guess;
export const ROUNDED: Fault = ({ roundedNumber }) => roundedNumber;

/** An object or list in a text and where it ends, or why it cannot be parsed. */
export type Respelled = { value: Record<string, unknown>; end: number; isJson: boolean } | { fault: Fault };

/** Each opening quote with its closing quote. */
const CLOSING: Record<string, string> = Object.fromEntries(
  ['""', "''", '``', '“”', '””', '‘’', '’’', '「」', '＂＂'].map(([open, close]) => [open, close]),
);
const STRINGS = new Map(
  Object.values(CLOSING).map((quote) => [
    quote,
    new RegExp(`[^\\\\${quote}]*(?:\\\\.[^\\\\${quote}]*)*${quote}`, 'sy'),
  ]),
);

const ASCII: Record<string, string> = { '｛': '{', '｝': '}', '［': '[', '］': ']', '，': ',', '：': ':' };
const WORDS: Record<string, string> = { true: 'true', false: 'false', null: 'null', none: 'null', undefined: 'null' };

/** White space of any script, zero-width characters, and comments. An unclosed comment extends to the end. */
const GAP = /(?:[\s\u00AD\u200B-\u200F\u2060]|\/\/.*|#.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/y;
const ELLIPSIS = /(?:\/\/|\/\*|#)[\s*]*(?:\.{3}|…)/;
const WORD = /[^\s\u200B-\u200F\u2060,:，：{}[\]｛｝［］"“”]+/y;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const IN_STRING = /\\u[\da-fA-F]{4}|\\.|["\p{Cc}]/gsu;
const JSON_ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;

const isReserved = (key: string): boolean => key === 'prototype' || RESERVED_KEYS.includes(key);

/** The last token of an open object or list, which determines what may come next. */
type Place = 'opener' | 'comma' | 'key' | 'colon' | 'string' | 'plus' | 'other';

/**
 * The tokens that each separator may follow. Commas are written with the token after them, so a trailing comma is
 * ignored.
 */
const SEPARATORS: Record<string, { place: Place; after: Place[] }> = {
  ',': { place: 'comma', after: ['string', 'other'] },
  ':': { place: 'colon', after: ['key'] },
  '+': { place: 'plus', after: ['string'] },
};

interface Open {
  /** The keys of an object so far; null for a list. */
  keys: Set<string> | null;
  place: Place;
}

/**
 * Parses the object or list that opens at `start` by rewriting it as JSON, in linear time. Never completes a value;
 * refuses reserved and duplicate keys.
 */
export const respell = (text: string, start: number): Respelled => {
  const json: string[] = [];
  const open: Open[] = [];
  let at = start;
  /** The quote that ended the last string. */
  let lastQuote = '';

  /** A comment with a quote may be the rest of the string before it, and `// …` stands for omitted items. */
  const isGuess = (comment: string): boolean => {
    const quotes = lastQuote === '' ? 0 : comment.split(lastQuote).length - 1;
    return ELLIPSIS.test(comment) || (open.at(-1)?.place === 'string' ? quotes > 0 : quotes % 2 === 1);
  };

  const pass = (spelled: string): null => {
    json.push(spelled);
    at += 1;
    return null;
  };

  /** Writes the comma before a key or value that may come here and records it; false if none may come. */
  const begin = (last: Open, value: 'string' | 'other', onNewLine: boolean): 'key' | 'value' | false => {
    const { keys, place } = last;
    if (place === 'key' || place === 'plus' || (place === 'string' && !onNewLine)) return false;
    if (place !== 'colon' && place !== 'opener') json.push(',');
    const isKey = keys !== null && place !== 'colon';
    last.place = isKey ? 'key' : value;
    return isKey ? 'key' : 'value';
  };

  const takeKey = ({ keys }: Open, key: string): Fault | null => {
    if (isReserved(key)) return ({ reservedKey }) => reservedKey(key);
    if (keys!.has(key)) return ({ repeatedKey }) => repeatedKey;
    keys!.add(key);
    return null;
  };

  const takeString = (last: Open, quote: string, onNewLine: boolean): Fault | null => {
    const closing = CLOSING[quote]!;
    const string = STRINGS.get(closing)!;
    string.lastIndex = at + 1;
    if (!string.test(text)) return CUT_OFF;
    const content = inJson(text.slice(at + 1, string.lastIndex - 1), quote);
    if (content === null) return ({ doubleBackslash }) => doubleBackslash;
    at = string.lastIndex;
    lastQuote = closing;
    if (last.place === 'plus') {
      last.place = 'string';
      json.splice(-2, 2, content, '"');
      return null;
    }
    const begun = begin(last, 'string', onNewLine);
    if (begun === false) return GUESS;
    json.push('"', content, '"');
    return begun === 'key' ? takeKey(last, JSON.parse(`"${content}"`)) : null;
  };

  const takeWord = (last: Open, onNewLine: boolean): Fault | null => {
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0] ?? '';
    const begun = begin(last, 'other', onNewLine && last.keys !== null);
    at += word.length;
    if (begun === 'key') {
      json.push(`"${word}"`);
      return NAME.test(word) ? takeKey(last, word) : GUESS;
    }
    const isNumber = NUMBER.test(word);
    const value = WORDS[word.toLowerCase()] ?? (isNumber ? word : undefined);
    if (begun === false || value === undefined) return GUESS;
    if (isNumber && isRounded(word)) return ROUNDED;
    json.push(value);
    return null;
  };

  const take = (char: string, onNewLine: boolean): Fault | null => {
    const last = open.at(-1);
    if (CLOSING[char] !== undefined) return takeString(last!, char, onNewLine);
    if (char === '{' || char === '[') {
      if (last !== undefined && !begin(last, 'other', onNewLine)) return GUESS;
      if (open.length === JSON_DEPTH_MAX) return ({ tooDeep }) => tooDeep(JSON_DEPTH_MAX);
      open.push({ keys: char === '{' ? new Set() : null, place: 'opener' });
      return pass(char);
    }
    if (last === undefined) return GUESS;
    if (char === '}' || char === ']') {
      if ((char === '}') !== (last.keys !== null)) return ({ bracketsDoNotMatch }) => bracketsDoNotMatch;
      if (last.place === 'key' || last.place === 'colon' || last.place === 'plus') return GUESS;
      open.pop();
      return pass(char);
    }
    const separator = SEPARATORS[char];
    if (separator === undefined) return takeWord(last, onNewLine);
    if (!separator.after.includes(last.place)) return GUESS;
    last.place = separator.place;
    return pass(char === ':' ? char : '');
  };

  do {
    GAP.lastIndex = at;
    const gap = GAP.exec(text)![0];
    at += gap.length;
    if (/[/#]/.test(gap) && isGuess(gap)) return { fault: GUESS };
    const char = text[at];
    if (char === undefined) return { fault: CUT_OFF };
    const fault = take(ASCII[char] ?? char, gap.includes('\n'));
    if (fault !== null) return { fault };
  } while (open.length > 0);
  try {
    return { value: JSON.parse(text.slice(start, at)), end: at, isJson: true };
  } catch {
    return { value: JSON.parse(json.join('')), end: at, isJson: false };
  }
};

/** A string's content as JSON; null for an escape that JSON does not have, except escaped quotes. */
const inJson = (content: string, quote: string): string | null => {
  let isKnown = true;
  const json = content.replace(IN_STRING, (found) => {
    if (JSON_ESCAPE.test(found)) return found;
    if (found.length === 1) return JSON.stringify(found).slice(1, -1);
    const char = found[1]!;
    if (char !== quote && char !== CLOSING[quote] && !`'\``.includes(char)) isKnown = false;
    return char;
  });
  return isKnown ? json : null;
};
