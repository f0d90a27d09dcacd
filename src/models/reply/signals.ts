/** Meanings of marks (SPEC 5, signal). */
export type Mark = 'step_done' | 'blocked' | 'replan';

/** A mark, and the text without it. */
export interface MarkedText {
  mark: Mark;
  rest: string;
}

/** Marks by name, without what may stand between their words. */
const NAMES = new Map<string, Mark>([
  ['done', 'step_done'],
  ['stepdone', 'step_done'],
  ['完成', 'step_done'],
  ['已完成', 'step_done'],
  ['步骤完成', 'step_done'],
  ['blocked', 'blocked'],
  ['failed', 'blocked'],
  ['失败', 'blocked'],
  ['无法完成', 'blocked'],
  ['replan', 'replan'],
  ['重新规划', 'replan'],
]);

const CLOSERS: Record<string, string> = { '[': ']', '【': '】', '（': '）', '［': '］' };
const OPENERS = Object.fromEntries(Object.entries(CLOSERS).map(([opener, closer]) => [closer, opener]));
const DECORATION = '*_`~ \t';
const CLOSING_PUNCTUATION = `${DECORATION}.。!！,，;；:：…`;
const SEPARATION = `${DECORATION}:：-–—,，.。`;

/** Longest mark, in characters, with its brackets and decoration. */
const MARK_CHARS_MAX = 40;

/** In small letters without a separator, `replan the trip` is a sentence. */
const REPLAN_AND_REASON = /^(?:(?:replan|重新规划)[*_`\s]{0,8}(?:[:：—–]|-\s)|重新规划[*_`]{0,3}[,，\s])/i;
const CAPITALS_AND_REASON = /^REPLAN[*_`]{0,3}\s/;

/** The mark that a name stands for: in any case, with any of `_`, `-` and blanks between its words, or decorated; null for none. */
export const markNamed = (name: string): Mark | null =>
  name.length > MARK_CHARS_MAX ? null : (NAMES.get(name.toLowerCase().replaceAll(/[\s_*`~-]/g, '')) ?? null);

/**
 * Reads the mark that prose ends with: in brackets at the start or the end of the last line, or as the whole of it without; `REPLAN`
 * also with its reason, on its line or below it. A mark anywhere else, or in a quotation, is no signal; nor are two that differ.
 */
export const readMark = (prose: string): MarkedText | null => {
  const lines = linesOf(prose).map(({ text }) => text);
  const last = lines.at(-1);
  if (last === undefined) return null;
  const marked = markOfLine(last);
  if (marked !== null) {
    const end = prose.lastIndexOf(last);
    return { mark: marked.mark, rest: joined(prose.slice(0, end), marked.rest) };
  }
  const [first = '', ...others] = lines;
  const firstMark = others.length === 0 ? null : markOfLine(first);
  if (firstMark?.mark !== 'replan') return null;
  return { mark: 'replan', rest: joined(firstMark.rest, prose.slice(prose.indexOf(first) + first.length)) };
};

const joined = (...texts: string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');

const markOfLine = (line: string): MarkedText | null => {
  if (line.startsWith('>')) return null;
  const start = skip(line, 0, DECORATION);
  const end = skipBack(line, line.length, CLOSING_PUNCTUATION);
  const closer = CLOSERS[line[start] ?? ''];
  const closed = closer === undefined ? -1 : line.slice(0, start + MARK_CHARS_MAX).indexOf(closer, start);
  const atStart = closed === -1 ? null : markNamed(line.slice(start + 1, closed));
  const opener = OPENERS[line[end - 1] ?? ''];
  const opened = opener === undefined ? -1 : line.lastIndexOf(opener, end);
  const atEnd = opened === -1 ? null : markNamed(line.slice(opened + 1, end - 1));
  if (atStart !== null && atEnd !== null && atStart !== atEnd) return null;
  if (atStart !== null) return { mark: atStart, rest: line.slice(skip(line, closed + 1, SEPARATION)) };
  if (atEnd !== null) return { mark: atEnd, rest: line.slice(0, skipBack(line, opened, DECORATION)) };
  // Brackets may stand around a mark with its reason, too: `[REPLAN: why]`.
  const isWhole = closer !== undefined && line[end - 1] === closer;
  return bareMark(line) ?? (isWhole ? bareMark(line.slice(start + 1, end - 1)) : null);
};

/** A mark without brackets: the whole line, or `REPLAN` and its reason. */
const bareMark = (line: string): MarkedText | null => {
  const head = line.slice(skip(line, 0, DECORATION));
  const mark = markNamed(head.slice(0, skipBack(head, head.length, CLOSING_PUNCTUATION)));
  if (mark !== null) return { mark, rest: '' };
  const replan = REPLAN_AND_REASON.exec(head) ?? CAPITALS_AND_REASON.exec(head);
  return replan && { mark: 'replan', rest: head.slice(skip(head, replan[0].length, SEPARATION)) };
};

const skip = (text: string, from: number, chars: string): number => {
  let at = from;
  while (at < text.length && chars.includes(text[at]!)) at += 1;
  return at;
};

const skipBack = (text: string, from: number, chars: string): number => {
  let at = from;
  while (at > 0 && chars.includes(text[at - 1]!)) at -= 1;
  return at;
};

const STEP_MARK = /(?:\*\*|`)?[[【（［]\s?(?:step|步骤)[ _-]?\d{0,3}\s?[\]】）］](?:\*\*|`)?\s{0,8}[:：]?/gi;
/** The text that every such mark contains, for most texts contain none. */
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
interface Line {
  indent: number;
  text: string;
}

/** The lines of prose that are not blank; of prose that is one code fence, those in it. */
const linesOf = (prose: string): Line[] => {
  const lines = prose
    .split(LINE_BREAK)
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }))
    .filter(({ text }) => text !== '');
  const fences = lines.filter(({ text }) => FENCE_LINE.test(text));
  const isOneFence = fences.length === 2 && fences[0] === lines[0] && fences[1] === lines.at(-1);
  return isOneFence ? lines.slice(1, -1) : lines;
};
