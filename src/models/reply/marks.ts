import { linesOf } from './list-steps.ts';

/** What an agent that speaks in marks can say with one (SPEC 5, signal). */
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

const BRACKETS: Record<string, string> = { '[': ']', '【': '】', '（': '）', '［': '］' };
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
  const atStart = markAtStart(line);
  const atEnd = markAtEnd(line);
  if (atStart !== null && atEnd !== null) return atStart.mark === atEnd.mark ? atStart : null;
  return atStart ?? atEnd ?? bareMark(line) ?? bareMark(withoutBrackets(line));
};

const markAtStart = (line: string): MarkedText | null => {
  const start = skip(line, 0, DECORATION);
  const closer = BRACKETS[line[start] ?? ''];
  const end = closer === undefined ? -1 : line.slice(0, start + MARK_CHARS_MAX).indexOf(closer, start);
  const mark = end === -1 ? null : markNamed(line.slice(start + 1, end));
  return mark && { mark, rest: line.slice(skip(line, end + 1, SEPARATION)) };
};

const markAtEnd = (line: string): MarkedText | null => {
  const end = skipBack(line, line.length, CLOSING_PUNCTUATION);
  const from = Math.max(0, end - MARK_CHARS_MAX);
  const opener = Object.keys(BRACKETS).find((open) => BRACKETS[open] === line[end - 1]);
  const start = opener === undefined ? -1 : line.lastIndexOf(opener, end);
  const mark = start < from ? null : markNamed(line.slice(start + 1, end - 1));
  return mark && { mark, rest: line.slice(0, skipBack(line, start, DECORATION)) };
};

/** A mark without brackets: the whole line, or `REPLAN` and its reason. */
const bareMark = (line: string): MarkedText | null => {
  const start = skip(line, 0, DECORATION);
  const mark = markNamed(line.slice(start, skipBack(line, line.length, CLOSING_PUNCTUATION)));
  if (mark !== null) return { mark, rest: '' };
  const head = line.slice(start);
  const replan = REPLAN_AND_REASON.exec(head) ?? CAPITALS_AND_REASON.exec(head);
  return replan && { mark: 'replan', rest: head.slice(skip(head, replan[0].length, SEPARATION)) };
};

/** The text inside a pair of brackets around the whole line, for `[REPLAN: why]`; no line otherwise. */
const withoutBrackets = (line: string): string => {
  const start = skip(line, 0, DECORATION);
  const end = skipBack(line, line.length, CLOSING_PUNCTUATION);
  const closer = BRACKETS[line[start] ?? ''];
  return closer !== undefined && line[end - 1] === closer ? line.slice(start + 1, end - 1) : '';
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
