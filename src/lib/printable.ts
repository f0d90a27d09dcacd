import { withoutEscapes } from '../../contracts/text.ts';

/** Characters that could move, hide or reorder text on a terminal; line ends and tabs may stay. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** A reply as a terminal may show it: its lines as they are, and no escape sequence, whatever its source. */
export const printable = (text: string): string => withoutEscapes(text).replace(UNSEEN, '');

/** The same line by line, so that an escape sequence that never ends takes no other line with it. */
export const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => printable(line))
    .join('\n');

/** JSON that a terminal may show: what could steer it is escaped, so nothing is lost. */
export const printableJson = (json: string): string =>
  json.replace(UNSEEN, (unseen) => `\\u${unseen.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as one line of such JSON. */
export const jsonLine = (value: unknown): string => printableJson(JSON.stringify(value));
