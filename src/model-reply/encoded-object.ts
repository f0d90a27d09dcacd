import { decodeHTMLStrict } from 'entities';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The text with the object at `at` decoded once: backslashes or HTML entities stand for its quotes, so the first bare quote ends it, as
 * that of a string which holds it does. Null when it can't be decoded. What stands around it stays as it is.
 */
export const decodeObject = (text: string, at: number, by: 'escaped' | 'entities'): string | null => {
  const end = by === 'entities' ? indexOrEnd(text, '"', at) : bareQuote(text, at);
  // A string that held the object has to close too.
  if (text[at - 1] === '"' && end === text.length) return null;
  if (by === 'entities') return text.slice(0, at) + decodeHTMLStrict(text.slice(at, end)) + text.slice(end);
  // Behind a backslash that is itself escaped: here a backslash was put before each quote, and before nothing else.
  const isQuotesOnly = text[end - 1] === '\\' && end < text.length;
  const last = isQuotesOnly ? quoteWithoutBackslash(text, at) : end;
  const decoded = isQuotesOnly ? text.slice(at, last).replaceAll('\\"', '"') : unescapeOnce(text.slice(at, last));
  return decoded === null ? null : text.slice(0, at) + decoded + text.slice(last);
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
