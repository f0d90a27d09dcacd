import { createRequire } from 'node:module';
import { ENCODED_CHARS_MAX } from './limits.ts';

const require = createRequire(import.meta.url);

/** Decodes HTML entities. Loaded with the first reply that has some, for unpacking their table would take a tenth of a start. */
const decodeEntities = (text: string): string =>
  (require('entities') as typeof import('entities')).decodeHTMLStrict(text);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The text with the object at `at` decoded once: backslashes or HTML entities stand for its quotes, so the first bare quote ends it, as
 * that of a string which contains it does. Null when its decoding is ambiguous. The surrounding text stays as it is.
 */
export const decodeObject = (text: string, at: number, by: 'escaped' | 'entities'): string | null => {
  const end = by === 'entities' ? indexOrEnd(text, '"', at) : bareQuote(text, at);
  const isString = text[at - 1] === '"';
  // A string that contained the object has to close too.
  if (isString && end === text.length) return null;
  if (end - at > ENCODED_CHARS_MAX) return null;
  const content = text.slice(at, end);
  // Five backslashes before a quote are one at a string's end to one who escaped all, and two to one who escaped quotes only.
  if (by === 'escaped' && !isString && content.includes('\\\\\\\\\\"')) return null;
  const decoded = by === 'entities' ? decodeEntities(content) : unescapeOnce(content);
  if (by === 'entities' || isString || content.includes('\\\\\\"'))
    return decoded && text.slice(0, at) + decoded + text.slice(end);
  // Behind a backslash that is itself escaped: here a backslash was put before each quote, and before nothing else.
  if (end < text.length && text[end - 1] === '\\') return withoutQuoteEscapes(text, at);
  // `\\n` is a line break to one who escaped all, and a backslash and a letter to one who escaped quotes only.
  return decoded === null || content.includes('\\\\') ? null : text.slice(0, at) + decoded + text.slice(end);
};

const withoutQuoteEscapes = (text: string, at: number): string | null => {
  const end = quoteWithoutBackslash(text, at);
  if (end - at > ENCODED_CHARS_MAX) return null;
  return text.slice(0, at) + text.slice(at, end).replaceAll('\\"', '"') + text.slice(end);
};

const indexOrEnd = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
};

/** The first quote that no odd number of backslashes stands before; the text's length when there is none. */
const bareQuote = (text: string, from: number): number => {
  for (let at = from; at < text.length; at += 1) {
    if (text.charCodeAt(at) === BACKSLASH) at += 1;
    else if (text.charCodeAt(at) === QUOTE) return at;
  }
  return text.length;
};

const quoteWithoutBackslash = (text: string, from: number): number => {
  for (let at = from; at < text.length; at += 1)
    if (text.charCodeAt(at) === QUOTE && text.charCodeAt(at - 1) !== BACKSLASH) return at;
  return text.length;
};

const unescapeOnce = (content: string): string | null => {
  try {
    return JSON.parse(`"${content.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')}"`) as string;
  } catch {
    return null;
  }
};
