/** White space of any script, and characters of no width, which some models put between tokens. */
const BLANKS = /[\s\u00AD\u180E\u200B-\u200F\u2060]+/y;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const SLASH = 0x2f;
const STAR = 0x2a;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/**
 * Where the next token starts: past blanks, also escaped ones, and comments of JavaScript and Python. The text's length when only such are left,
 * and when a comment never closes. Linear in what it passes.
 */
export const skipBlanks = (text: string, from: number): number => {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === LINE_FEED || code === TAB || code === RETURN) at += 1;
    else if (code === BACKSLASH && 'nrt'.includes(text[at + 1] ?? ' ')) at += 2;
    else if (code === SLASH) {
      const next = text.charCodeAt(at + 1);
      if (next === SLASH) at = indexAfter(text, '\n', at);
      else if (next === STAR) at = indexAfter(text, '*/', at + 2);
      else return at;
    } else if (code === HASH) at = indexAfter(text, '\n', at);
    else if (code < SPACE || code >= DELETE) {
      BLANKS.lastIndex = at;
      if (!BLANKS.test(text)) return at;
      at = BLANKS.lastIndex;
    } else return Math.min(at, text.length);
  }
};

const indexAfter = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
};
