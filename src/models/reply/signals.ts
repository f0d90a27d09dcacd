/** Meanings of marks (SPEC 5, signal). */
export type Mark = 'step_done' | 'blocked' | 'replan';

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

const MARK_CHARS_MAX = 40;

const MARK_AT_START = /^[*_`~ \t]{0,20}[[【（［]([^[【（［\]】）］]{1,40})[\]】）］]/;
const MARK_AT_END = /[*_`~ \t]{0,20}[[【（［]([^[【（［\]】）］]{1,40})[\]】）］][*_`~ \t.。!！,，;；:：…]{0,20}$/;
const IN_BRACKETS = /^[*_`~ \t]{0,20}[[【（［]([^[【（［\]】）］]+)[\]】）］][*_`~ \t.。!！,，;；:：…]{0,20}$/;
const DECORATION = /^[*_`~ \t]+/;
const SEPARATION = /^[*_`~ \t:：–—,，.。-]+/;

/** Marks that may stand before their text. In small letters without a separator, `replan the trip` is a sentence. */
const MARK_AND_TEXT =
  /^(?:(replan|重新规划|step[ _-]?done|步骤完成)[*_`\s]{0,8}(?:[:：—–]|-\s)|重新规划[*_`]{0,3}[,，\s])/i;
const CAPITALS_AND_REASON = /^(REPLAN)[*_`]{0,3}\s/;

/** The mark that a name stands for: in any case, with any of `_`, `-` and blanks between its words, or decorated; null for none. */
export const markNamed = (name: string): Mark | null =>
  name.length > MARK_CHARS_MAX
    ? null
    : (NAMES.get(
        name
          .toLowerCase()
          .replaceAll(/[\s_*`~-]/g, '')
          .replace(/[.。!！,，;；:：…]{1,8}$/, ''),
      ) ?? null);

/** Reads the mark that prose ends with, or `REPLAN` and `STEP_DONE:` before it (SPEC 5, signal). One elsewhere or two that differ are none. */
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
  if (firstMark === null || (firstMark.mark !== 'replan' && !MARK_AND_TEXT.test(first))) return null;
  return { ...firstMark, rest: joined(firstMark.rest, prose.slice(prose.indexOf(first) + first.length)) };
};

const joined = (...texts: string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');

const markOfLine = (line: string): MarkedText | null => {
  if (line.startsWith('>')) return null;
  const start = MARK_AT_START.exec(line);
  const end = MARK_AT_END.exec(line);
  const atStart = markNamed(start?.[1] ?? '');
  const atEnd = markNamed(end?.[1] ?? '');
  if (atStart !== null && atEnd !== null && atStart !== atEnd) return null;
  if (atStart !== null) return { mark: atStart, rest: line.slice(start![0].length).replace(SEPARATION, '') };
  if (atEnd !== null) return { mark: atEnd, rest: line.slice(0, end!.index) };
  // Brackets may stand around a mark with its reason, too: `[REPLAN: why]`.
  return bareMark(line) ?? bareMark(IN_BRACKETS.exec(line)?.[1] ?? '');
};

/** A mark without brackets: the whole line, or `REPLAN` or `STEP_DONE:` and its text. */
const bareMark = (line: string): MarkedText | null => {
  const mark = markNamed(line);
  if (mark !== null) return { mark, rest: '' };
  const head = line.replace(DECORATION, '');
  const [before, name = '重新规划'] = MARK_AND_TEXT.exec(head) ?? CAPITALS_AND_REASON.exec(head) ?? [];
  return before === undefined
    ? null
    : { mark: markNamed(name)!, rest: head.slice(before.length).replace(SEPARATION, '') };
};

const STEP_MARK = /(?:\*\*|`)?[[【（［]\s?(?:step|步骤)[ _-]?\d{0,3}\s?[\]】）］](?:\*\*|`)?\s{0,8}[:：]?/gi;
/** The text that every such mark contains, for most texts contain none. */
const STEP_WORD = /step|步骤/i;
const BEFORE_STEP_MARK = /^(?:[-*+•]\s{1,8}|\d{1,3}[.)、]\s{0,8})?$/;
const NUMBER =
  /^(?:(?:\d{1,3})(?:[.)](?!\d)|[、．）])|[(（](?:\d{1,3})[)）]|第(?:[一二三四五六七八九十百\d]{1,4})步[：:，,、.]?|(?:step|步骤)\s{0,4}(?:[一二三四五六七八九十百\d]{1,4})[：:.、)])/i;
/** `404. That's an error.` starts no list. */
const FIRST_NUMBER = /^[(（第]?\s{0,4}(?:step|步骤)?\s{0,4}(?:0{0,2}1|一)(?![\d十百])/i;
const BULLET = /^[-*+•·‣–]\s{1,8}(?:\[[ xX]\]\s)?/;
const QUESTION = /[?？]["'”’）)*\s]{0,8}$/;
const HAS_A_WORD = /[\p{L}\p{N}]/u;

/** Fewest items that make a list a plan: one alone is as often a remark. */
const ITEMS_MIN = 2;

/** The steps that prose lists (SPEC 5, signal): behind `[Step]` marks, else a list with one line of introduction at most. Empty for none. */
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
  if (isNumbered && !FIRST_NUMBER.test(head.text)) return [];
  const kind = isNumbered ? NUMBER : BULLET;
  const steps: string[] = [];
  for (const { indent, text } of lines.slice(start)) {
    const isItem = indent <= head.indent && kind.test(text);
    if (isItem) steps.push(text.replace(kind, '').trim());
    else if (indent <= head.indent && !(isNumbered && BULLET.test(text))) return [];
  }
  return steps.length < ITEMS_MIN ? [] : steps.filter((step) => HAS_A_WORD.test(step));
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
