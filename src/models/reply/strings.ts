import { ODD_CHARS_MAX, ODD_STRING_CHARS } from './limits.ts';

/** Each opening quote with the quotes that close it; some come from word processors, Chinese keyboards and code. */
const CLOSING: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '´': '´',
  '＂': '＂',
  '＇': '＇',
  '“': '”“',
  '”': '”“',
  '„': '“”',
  '‘': '’‘',
  '’': '’‘',
  '‚': '‘’',
  '«': '»',
  '»': '«',
  '「': '」',
  '『': '』',
};

/** True where a string starts: only there is a quote examined, so an apostrophe within a word opens nothing. */
export const isQuote = (char: string): boolean => CLOSING[char] !== undefined;

/** A string's end and what it says; `value` is null when it is ambiguous. */
export interface ReadString {
  end: number;
  value: string | null;
  /** Characters that JSON.parse could not read. */
  oddChars: number;
}

/** A line that could be the end of the code fence around the answer, so the string may have been cut there. */
const FENCE_LINE = /[\n\r][ \t]*(?:`{3}|~{3})/;
const SPACE = 0x20;
const TAB = 0x09;
const RETURN = 0x0d;

/** Blanks looked past to see whether a quote ends a value or key. */
const STRUCTURE_BLANKS_MAX = 16;

const BACKSLASH = 0x5c;

/** Reads the string whose opening quote is at `start`; null when it never closes. Linear. */
export const readString = (text: string, start: number): ReadString | null => {
  const quote = text[start]!;
  const isTriple = (quote === '"' || quote === "'") && text.startsWith(quote.repeat(3), start);
  const from = start + (isTriple ? 3 : 1);
  const close = isTriple ? tripleEnd(text, from, quote.repeat(3)) : closingQuote(text, from, quote);
  if (close === -1) return null;
  const content = text.slice(from, close);
  // Three quotes in a row may be an empty string and one that begins; then what ends that one stands inside.
  if (isTriple && ENDS_INSIDE.test(content)) return { end: close + 3, ...UNSURE };
  return { end: close + (isTriple ? 3 : 1), ...decode(content, quote) };
};

const closingQuote = (text: string, from: number, quote: string): number => {
  const closing = CLOSING[quote]!;
  const [first, second] = [closing.charCodeAt(0), closing.charCodeAt(1)];
  const open = quote === closing ? -1 : quote.charCodeAt(0);
  let inner = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === open && !isBeforeStructure(text, at + 1)) inner += 1;
    else if (code === first || code === second) {
      if (inner === 0) return at;
      inner -= 1;
    }
  }
  return -1;
};

/** An opening quote where a value or key ends closes it: “status“ is written too. Without a text of its own for each quote, of which a reply may have half a million. */
const isBeforeStructure = (text: string, at: number): boolean => {
  const end = at + STRUCTURE_BLANKS_MAX;
  let next = text.charCodeAt(at);
  for (let i = at + 1; i < end && (next === SPACE || (next >= TAB && next <= RETURN)); i += 1)
    next = text.charCodeAt(i);
  return isStructure(next);
};

/** True for the colon, comma or closer that may stand behind a string. Compared one by one, since it runs at every quote. */
const isStructure = (code: number): boolean =>
  code === 0x3a || code === 0x2c || code === 0x7d || code === 0x5d || code === 0xff1a || code === 0xff0c;

const tripleEnd = (text: string, from: number, quotes: string): number => {
  for (let at = from; at < text.length; at += 1) {
    if (text.charCodeAt(at) === BACKSLASH) at += 1;
    else if (text.startsWith(quotes, at)) return at;
  }
  return -1;
};

const ENDS_INSIDE = /["']\s{0,16}[:,}\]]/;
const BROKEN_ESCAPE = /\\[\n\r\t]/;

const UNSURE = { value: null, oddChars: 0 };

const decode = (content: string, quote: string): Omit<ReadString, 'end'> => {
  if (FENCE_LINE.test(content) || (quote === '`' && content.includes('${'))) return UNSURE;
  if (!content.includes('\\')) return { value: content, oddChars: 0 };
  if (BROKEN_ESCAPE.test(content)) return UNSURE;
  try {
    const escaped = content.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
    return { value: JSON.parse(`"${escaped}"`) as string, oddChars: 0 };
  } catch {
    // Escapes of another language, or quotes that need none beside other ones.
    const isLong = content.length > ODD_CHARS_MAX;
    return { value: isLong ? null : decodeEscapes(content, quote), oddChars: content.length + ODD_STRING_CHARS };
  }
};

/** Escapes that mean the same in every language that has them. `\a`, `\d` or `\0` do not, so they are not among these. */
const PLAIN: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '/': '/', '\\': '\\' };
const BY_CODE = /u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|U([\da-fA-F]{8})/y;
const LAST_CODE_POINT = 0x10ffff;

const decodeEscapes = (content: string, quote: string): string | null => {
  const pieces: string[] = [];
  let from = 0;
  for (let at = content.indexOf('\\'); at !== -1; at = content.indexOf('\\', from)) {
    pieces.push(content.slice(from, at));
    const char = content[at + 1]!;
    const isQuoted = char === quote || char === '"' || char === "'" || CLOSING[quote]!.includes(char);
    const plain = isQuoted ? char : PLAIN[char];
    if (plain !== undefined) {
      pieces.push(plain);
      from = at + 2;
      continue;
    }
    BY_CODE.lastIndex = at + 1;
    const code = BY_CODE.exec(content);
    const point = code === null ? Number.NaN : Number.parseInt(code[1] ?? code[2] ?? code[3] ?? code[4]!, 16);
    if (!(point <= LAST_CODE_POINT)) return null;
    pieces.push(code?.[2] === undefined ? String.fromCodePoint(point) : String.fromCharCode(point));
    from = BY_CODE.lastIndex;
  }
  pieces.push(content.slice(from));
  return pieces.join('');
};
