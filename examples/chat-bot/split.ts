/** The nearest place before `max` at which a text may be cut, best a blank line, then a line's end, then a blank. */
const cutBefore = (text: string, max: number): number => {
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, max);
    // A piece that is less than half full would make many of them.
    if (at > max / 2) return at;
  }
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(max - 1)) ? max - 1 : max;
};

/** Splits a text into pieces of at most `max` characters. Nothing but blanks at the cuts is lost. */
export const split = (text: string, max: number): string[] => {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const at = cutBefore(rest, max);
    pieces.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...pieces, rest];
};
