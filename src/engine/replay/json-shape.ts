/** Deepest nesting of a line, in levels: an entry has six, and a tool's input is text. */
const DEPTH_MAX = 64;

/** Most lists, objects and members of a line, those of objects counted twice, for their names take as long: twice a plan of 200 items that each wait for all before them. */
const VALUES_MAX = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The index of the quote that ends the string which begins at `start`; the text's length where none does. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
};

/**
 * Says why a text should not be parsed as JSON, though it may be: it nests too deep or contains too many values, which takes a parser
 * many times the text's memory. Null for what may be parsed. One linear pass; does not check that it is JSON.
 */
export const excessOf = (text: string): string | null => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        values += 1;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        values += 1;
        break;
    }
    if (depth > DEPTH_MAX) return `it nests deeper than ${DEPTH_MAX} levels`;
    if (values > VALUES_MAX) return `it holds more than ${VALUES_MAX} values`;
  }
  return null;
};
