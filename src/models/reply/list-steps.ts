const STEP_MARK = /(?:\*\*|`)?[[【（［]\s?(?:step|步骤)[ _-]?\d{0,3}\s?[\]】）］](?:\*\*|`)?\s{0,8}[:：]?/gi;
/** What every such mark contains, for most texts contain none. */
const STEP_WORD = /step|步骤/i;
const BEFORE_STEP_MARK = /^(?:[-*+•]\s{1,8}|\d{1,3}[.)、]\s{0,8})?$/;
const NUMBER =
  /^(?:(?<number>\d{1,3})(?:[.)](?!\d)|[、．）])|[(（](?<bracketed>\d{1,3})[)）]|第(?<ordinal>[一二三四五六七八九十百\d]{1,4})步[：:，,、.]?|(?:step|步骤)\s{0,4}(?<named>[一二三四五六七八九十百\d]{1,4})[：:.、)])/i;
const BULLET = /^[-*+•·‣–]\s{1,8}(?:\[[ xX]\]\s)?/;
const QUESTION = /[?？]["'”’）)*\s]{0,8}$/;
const HAS_A_WORD = /[\p{L}\p{N}]/u;

/** Fewest items that make a list a plan: one alone is as often a remark. */
const ITEMS_MIN = 2;

/**
 * The steps that prose lists, in order (SPEC 5, signal): those behind `[Step]` marks, else a numbered or dashed list with one line of
 * introduction at most. What is indented below an item is its detail. Empty for no list, for a question, and beside other text.
 */
export const listSteps = (prose: string): string[] => {
  const lines = linesOf(prose);
  const marked = STEP_WORD.test(prose) ? lines.flatMap(({ text }) => markedSteps(text)) : [];
  return marked.length > 0 ? marked : listedSteps(lines);
};

/** The steps of a line that starts with a mark; each further mark starts another. */
const markedSteps = (line: string): string[] => {
  const marks = [...line.matchAll(STEP_MARK)];
  if (marks.length === 0 || !BEFORE_STEP_MARK.test(line.slice(0, marks[0]!.index))) return [];
  return marks
    .map((mark, i) => line.slice(mark.index + mark[0].length, marks[i + 1]?.index).replace(/[;；,，|]?\s{0,8}$/, ''))
    .map((step) => step.trim())
    .filter((step) => HAS_A_WORD.test(step));
};

const listedSteps = (all: Line[]): string[] => {
  const lines = all.filter(({ text }) => HAS_A_WORD.test(text));
  const start = lines.findIndex(({ text }) => NUMBER.test(text) || BULLET.test(text));
  const head = lines[start];
  if (head === undefined || start > 1 || lines.some(({ text }) => QUESTION.test(text))) return [];
  const isNumbered = NUMBER.test(head.text);
  if (isNumbered && !beginsAtOne(head.text)) return [];
  const kind = isNumbered ? NUMBER : BULLET;
  const steps: string[] = [];
  for (const { indent, text } of lines.slice(start)) {
    const isItem = indent <= head.indent && kind.test(text);
    if (isItem) steps.push(text.replace(kind, '').trim());
    else if (indent <= head.indent && !(isNumbered && BULLET.test(text))) return [];
  }
  return steps.length < ITEMS_MIN ? [] : steps.filter((step) => HAS_A_WORD.test(step));
};

/** `404. That's an error.` starts no list. */
const beginsAtOne = (text: string): boolean => {
  const { number, bracketed, ordinal, named } = NUMBER.exec(text)!.groups!;
  const first = number ?? bracketed ?? ordinal ?? named;
  return first === '一' || Number(first) === 1;
};

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
