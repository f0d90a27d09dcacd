import { RESERVED_KEYS } from '../../../contracts/checked.ts';
import { JSON_DEPTH_MAX } from '../../../contracts/limits.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';

/** Why JSON can't be read, once the language is chosen. */
export type Fault = (texts: Messages['modelReply']['fault']) => string;

export const CUT_OFF: Fault = ({ cutOff }) => cutOff;
const GUESS: Fault = ({ guess }) => guess;

/** An object or list of a text and where it ends, or why it can't be read. */
export type Respelled = { value: unknown; end: number; isJson: boolean } | { fault: Fault };

/** Each opening quote with the quotes that close it. */
const CLOSING: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '‘': '’',
  '’': '’',
  '「': '」',
  '＂': '＂',
};
const STRINGS = new Map(
  Object.values(CLOSING).map((quote) => [
    quote,
    new RegExp(`[^\\\\${quote}]*(?:\\\\.[^\\\\${quote}]*)*${quote}`, 'sy'),
  ]),
);

const ASCII: Record<string, string> = { '｛': '{', '｝': '}', '［': '[', '］': ']', '，': ',', '：': ':' };
const WORDS = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['none', 'null'],
  ['undefined', 'null'],
]);

/** White space of any script, characters of no width, and comments; one that never closes goes on to the end. */
const GAP = /(?:[\s\u00AD\u200B-\u200F\u2060]|\/\/.*|#.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/y;
const ELLIPSIS = /(?:\/\/|\/\*|#)[\s*]*(?:\.{3}|…)/;
const WORD = /[^\s\u200B-\u200F\u2060,:，：{}[\]｛｝［］"“”]+/y;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const IN_STRING = /\\u[\da-fA-F]{4}|\\.|["\p{Cc}]/gsu;
const JSON_ESCAPE = /^\\(?:["\\/bfnrt]|u[\da-fA-F]{4})$/;

const BACKSLASH: Fault = ({ doubleBackslash }) => doubleBackslash;

/** The last token of an open object or list, which says what may come next. */
type Place = 'opener' | 'comma' | 'key' | 'colon' | 'string' | 'plus' | 'other';

/** What each separator may stand behind. Commas are written with what follows them, so that one too many at the end is none. */
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

/** Where the blanks and comments from `at` on end. */
export const gapEnd = (text: string, at: number): number => {
  GAP.lastIndex = at;
  GAP.test(text);
  return GAP.lastIndex;
};

/**
 * Reads the object or list that opens at `start` by spelling it as JSON, in linear time. It reads only what is complete and has one meaning: it never
 * completes a value, and it refuses reserved keys, keys that stand twice and numbers that lose digits.
 */
export const respell = (text: string, start: number): Respelled => new Respeller(text, start).read();

class Respeller {
  readonly #text: string;
  readonly #start: number;
  readonly #json: string[] = [];
  readonly #open: Open[] = [];
  #at: number;
  /** The quote that ended the last string. */
  #quote = '';

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = this.#at = start;
  }

  read(): Respelled {
    for (;;) {
      const gap = this.#text.slice(this.#at, gapEnd(this.#text, this.#at));
      this.#at += gap.length;
      if (/[/#]/.test(gap) && this.#isGuess(gap)) return { fault: GUESS };
      const char = this.#text[this.#at];
      if (char === undefined) return { fault: CUT_OFF };
      const fault = this.#take(ASCII[char] ?? char, gap.includes('\n'));
      if (fault !== null) return { fault };
      if (this.#open.length === 0) return this.#parse();
    }
  }

  /** A comment with a quote may be the rest of the string before it, and `// …` stands for items that were left out. */
  #isGuess(comment: string): boolean {
    const quotes = this.#quote === '' ? 0 : comment.split(this.#quote).length - 1;
    const isBehindString = this.#open.at(-1)?.place === 'string';
    return ELLIPSIS.test(comment) || (isBehindString ? quotes > 0 : quotes % 2 === 1);
  }

  #parse(): Respelled {
    const written = this.#text.slice(this.#start, this.#at);
    try {
      return { value: JSON.parse(written), end: this.#at, isJson: true };
    } catch {
      return { value: JSON.parse(this.#json.join('')), end: this.#at, isJson: false };
    }
  }

  #take(char: string, onNewLine: boolean): Fault | null {
    const last = this.#open.at(-1);
    if (CLOSING[char] !== undefined) return this.#takeString(char, onNewLine);
    if (char === '{' || char === '[') {
      if (last !== undefined && !this.#begin(last, 'other', onNewLine)) return GUESS;
      if (this.#open.length === JSON_DEPTH_MAX) return ({ tooDeep }) => tooDeep(JSON_DEPTH_MAX);
      this.#open.push({ keys: char === '{' ? new Set() : null, place: 'opener' });
      return this.#pass(char);
    }
    if (last === undefined) return GUESS;
    if (char === '}' || char === ']') {
      if ((char === '}') !== (last.keys !== null)) return ({ bracketsDoNotMatch }) => bracketsDoNotMatch;
      if (last.place === 'key' || last.place === 'colon' || last.place === 'plus') return GUESS;
      this.#open.pop();
      return this.#pass(char);
    }
    const separator = SEPARATORS[char];
    if (separator === undefined) return this.#takeWord(last, onNewLine);
    if (!separator.after.includes(last.place)) return GUESS;
    last.place = separator.place;
    return this.#pass(char === ':' ? char : '');
  }

  #pass(json: string): null {
    this.#json.push(json);
    this.#at += 1;
    return null;
  }

  /** Writes the comma before a key or value that may come here, and notes it; false where none may come. */
  #begin(last: Open, value: 'string' | 'other', onNewLine: boolean): 'key' | 'value' | false {
    const { keys, place } = last;
    const isNext = place === 'opener' || place === 'comma' || place === 'other' || (place === 'string' && onNewLine);
    if (place !== 'colon' && !isNext) return false;
    if (place !== 'colon' && place !== 'opener') this.#json.push(',');
    const isKey = keys !== null && place !== 'colon';
    last.place = isKey ? 'key' : value;
    return isKey ? 'key' : 'value';
  }

  #takeString(quote: string, onNewLine: boolean): Fault | null {
    const last = this.#open.at(-1)!;
    const closing = CLOSING[quote]!;
    const string = STRINGS.get(closing)!;
    string.lastIndex = this.#at + 1;
    if (!string.test(this.#text)) return CUT_OFF;
    const content = inJson(this.#text.slice(this.#at + 1, string.lastIndex - 1), quote);
    if (content === null) return BACKSLASH;
    this.#at = string.lastIndex;
    this.#quote = closing;
    if (last.place === 'plus') {
      last.place = 'string';
      this.#json.splice(-2, 2, content, '"');
      return null;
    }
    const begun = this.#begin(last, 'string', onNewLine);
    if (begun === false) return GUESS;
    this.#json.push('"', content, '"');
    return begun === 'key' ? this.#takeKey(last, JSON.parse(`"${content}"`)) : null;
  }

  #takeWord(last: Open, onNewLine: boolean): Fault | null {
    WORD.lastIndex = this.#at;
    const word = WORD.exec(this.#text)?.[0] ?? '';
    const begun = this.#begin(last, 'other', onNewLine && last.keys !== null);
    this.#at += word.length;
    if (begun === 'key') {
      this.#json.push(`"${word}"`);
      return NAME.test(word) ? this.#takeKey(last, word) : GUESS;
    }
    const value = WORDS.get(word.toLowerCase()) ?? (NUMBER.test(word) ? word : undefined);
    if (begun === false || value === undefined || losesDigits(value)) return GUESS;
    this.#json.push(value);
    return null;
  }

  #takeKey({ keys }: Open, key: string): Fault | null {
    if (key === 'prototype' || RESERVED_KEYS.includes(key)) return ({ reservedKey }) => reservedKey(key);
    if (keys!.has(key)) return ({ repeatedKey }) => repeatedKey;
    keys!.add(key);
    return null;
  }
}

const losesDigits = (number: string): boolean => /^-?\d{16,}$/.test(number) && String(Number(number)) !== number;

/** The content of a string as JSON has it; null for an escape that JSON does not know, but for those of quotes. */
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
