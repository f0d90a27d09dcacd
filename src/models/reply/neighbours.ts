const CLOSERS = /[\s}\]｝］]*/y;
const END_OF_WRAPPING = /$|`{3}|~{3}|<\//y;
const INNER_VALUE = /"[\w$-]{1,64}"\s{0,16}[:：]\s{0,64}$/;

/** Characters in front of an object that say whether it is a part of another one. */
const BEFORE_CHARS = 150;

/** True for an object behind a quoted key and its colon: a part of another one that has lost its beginning. */
export const isInnerValue = (text: string, start: number): boolean =>
  INNER_VALUE.test(text.slice(Math.max(0, start - BEFORE_CHARS), start));

/**
 * True for an object with a quote right behind it and none right before: the string it seems to end with may go on, since a quote
 * and a brace in it were not escaped.
 */
export const mayGoOn = (text: string, start: number, end: number): boolean => {
  const next = text[end];
  return (next === '"' || next === "'") && text[start - 1] !== next;
};

/**
 * Goes past the closers behind an object that ended at `end`: those of the `wraps` braces that hold it alone, and closers too many at
 * the end of the line, the fence or the tag. Null when they stand anywhere else: then a string may have been ended too early.
 */
export const passClosers = (
  text: string,
  end: number,
  wraps: number,
): { behind: number; areTooMany: boolean } | null => {
  CLOSERS.lastIndex = end;
  CLOSERS.test(text);
  const behind = CLOSERS.lastIndex;
  const run = text.slice(end, behind);
  const closers = run.replaceAll(/\s/g, '').length;
  if (closers === wraps) return { behind, areTooMany: false };
  END_OF_WRAPPING.lastIndex = behind;
  const isEnd = END_OF_WRAPPING.test(text) || run.slice(run.trimEnd().length).includes('\n');
  return closers > wraps && isEnd ? { behind, areTooMany: true } : null;
};
