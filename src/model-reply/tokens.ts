/** What a piece of (possibly sloppy) JSON is: `word` is anything outside quotes that is no punctuation. */
export type TokenKind = 'open' | 'close' | 'comma' | 'colon' | 'string' | 'word';

/** One piece of JSON text, from `start` up to but not including `end`. */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
  /** A line break lies between the token before and this one. */
  onNewLine: boolean;
  /** The string has only escapes that mean the same to JSON and to jsonrepair, which drops the backslash of others. */
  soundEscapes: boolean;
}

const PUNCTUATION: Record<string, TokenKind> = {
  '{': 'open',
  '[': 'open',
  '}': 'close',
  ']': 'close',
  ',': 'comma',
  '，': 'comma',
  ':': 'colon',
  '：': 'colon',
};

/** Each opening quote with the quotes that close it; curly quotes come from word processors and Chinese keyboards. */
const CLOSING: Record<string, string> = { '"': '"', "'": "'", '“': '“”', '”': '“”', '‘': '‘’', '’': '‘’' };

const isBlank = (char: string): boolean => /\s/.test(char);
const ESCAPE = /\\(?:["\\/bfnrt']|u[\da-fA-F]{4})/y;
const WORD = /[^\s{}[\],:，："“”/]+|\//y;

/**
 * The token at or after `from`, past blanks and comments; null when the text ends first, also inside a string or
 * a comment. Quotes count only where a token begins, so an apostrophe within a word opens nothing.
 */
export function nextToken(text: string, from: number): Token | null {
  const start = skipBlanks(text, from);
  const char = text[start];
  if (char === undefined) return null;
  const onNewLine = text.slice(from, start).includes('\n');
  const kind = PUNCTUATION[char];
  if (kind !== undefined) return { kind, start, end: start + 1, onNewLine, soundEscapes: true };
  const closing = CLOSING[char];
  if (closing !== undefined) {
    const string = readString(text, start + 1, closing);
    return string && { kind: 'string', start, onNewLine, ...string };
  }
  WORD.lastIndex = start;
  WORD.test(text);
  return { kind: 'word', start, end: WORD.lastIndex, onNewLine, soundEscapes: true };
}

/** Index of the first character that is neither blank nor in a comment; the text's length when a comment never closes. */
function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    if (isBlank(text[at]!)) at += 1;
    else if (text.startsWith('//', at)) at = indexAfter(text, '\n', at);
    else if (text.startsWith('/*', at)) at = indexAfter(text, '*/', at + 2);
    else return at;
  }
  return at;
}

function indexAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

function readString(text: string, from: number, closing: string): Pick<Token, 'end' | 'soundEscapes'> | null {
  let soundEscapes = true;
  for (let at = from; at < text.length; at += 1) {
    if (closing.includes(text[at]!)) return { end: at + 1, soundEscapes };
    if (text[at] === '\\') {
      ESCAPE.lastIndex = at;
      soundEscapes = ESCAPE.test(text) && soundEscapes;
      at += 1;
    }
  }
  return null;
}
