const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const FENCE_LINE = /^(?:`{3}|~{3})[\w+.-]*$/;

/** A line of prose without the blanks around it, and how many stood before it. */
export interface Line {
  indent: number;
  text: string;
}

/** The lines of prose that are not blank; of prose that is one code fence, those in it. */
export const linesOf = (prose: string): Line[] => {
  const lines = prose
    .split(LINE_BREAK)
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }))
    .filter(({ text }) => text !== '');
  const fences = lines.filter(({ text }) => FENCE_LINE.test(text));
  const isOneFence = fences.length === 2 && fences[0] === lines[0] && fences[1] === lines.at(-1);
  return isOneFence ? lines.slice(1, -1) : lines;
};
