const ANY_QUOTE = /["'`´“”„‘’‚«»「」『』＂＇]/;
const ELLIPSIS = /(?:\/\/|\/\*|#)[\s*]*(?:\.{3}|…)/;

/** What stood before a gap: the text of the string that ended there, and whether a comma follows it; null for all else. */
export type BeforeGap = { closingQuote: string; hasComma: boolean } | null;

/**
 * True when the comment in a gap between two tokens may be none: right behind a string, one that contains a quote may be the
 * rest of that string, whose inner quote was not escaped; and `// ...` stands for items that were left out (SPEC 5).
 */
export const isGuessedComment = (gap: string, before: BeforeGap): boolean => {
  if (!gap.includes('/') && !gap.includes('#')) return false;
  if (ELLIPSIS.test(gap)) return true;
  if (before === null) return false;
  if (!before.hasComma) return ANY_QUOTE.test(gap);
  // `"done", // or "continue"` has one reading: with an even number of quotes, no string can end in the comment.
  return gap.split(before.closingQuote).length % 2 === 0;
};
