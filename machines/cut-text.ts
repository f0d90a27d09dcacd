/** Cuts a text to `max` characters, never inside a surrogate pair, and says so at its end. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const mark = `… [cut, ${text.length} characters in all]`;
  const head = text.slice(0, Math.max(0, max - mark.length));
  return (head.isWellFormed() ? head : head.slice(0, -1)) + mark;
};
