const FENCE = /`{3,}|~{3,}/y;

/** A code fence that is open: its mark, where its body starts, and how many values stood before it. */
export interface Fence {
  mark: string;
  bodyStart: number;
  valuesBefore: number;
}

/** The fence mark at `at`: three or more back ticks, or tildes that begin a line. */
export const fenceMarkAt = (text: string, at: number): string | null => {
  // First where tildes stand: within a long row of them each would match all that follow.
  if (text[at] === '~' && !beginsLine(text, at)) return null;
  FENCE.lastIndex = at;
  return FENCE.exec(text)?.[0] ?? null;
};

const beginsLine = (text: string, at: number): boolean => {
  let before = at;
  while (text[before - 1] === ' ' || text[before - 1] === '\t') before -= 1;
  return before === 0 || text[before - 1] === '\n';
};

/** True when the value is the whole content of the fence, but for the fence's language tag. */
export const fillsFence = (
  text: string,
  fence: Fence,
  fenceEnd: number,
  value: { start: number; end: number },
): boolean => {
  const before = text.slice(fence.bodyStart, value.start).trim();
  const after = text.slice(value.end, fenceEnd).trim();
  return /^[\w+.-]*$/.test(before) && /^[}\]]*$/.test(after);
};
