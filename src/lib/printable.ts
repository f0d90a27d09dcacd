import { withoutEscapes } from '../../contracts/text.ts';

/** Characters that could move, hide or reorder text on a terminal; line ends and tabs are allowed. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** A reply that a terminal can show safely: keeps its lines, and removes escape sequences, whatever their source. */
export const printable = (text: string): string => withoutEscapes(text).replace(UNSEEN, '');

/** The same line by line, so that an unterminated escape sequence affects no other line. */
export const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => printable(line))
    .join('\n');

/** JSON that a terminal can show safely: control characters are escaped, so nothing is lost. */
export const printableJson = (json: string): string =>
  json.replace(UNSEEN, (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as one line of such JSON. */
export const jsonLine = (value: unknown): string => printableJson(JSON.stringify(value));
