/** Meanings of marks (SPEC 5, signal). */
export type Mark = 'step_done' | 'blocked' | 'replan';

export interface MarkedText {
  mark: Mark;
  rest: string;
  /** True if the mark precedes the text. */
  isFirst: boolean;
}

type MarkedLine = Omit<MarkedText, 'isFirst'>;

/** Marks by name, without separators between words. */
const NAMES = new Map<string, Mark>([
  ['done', 'step_done'],
  ['completed', 'step_done'],
  ['stepdone', 'step_done'],
  ['stepcompleted', 'step_done'],
  ['taskdone', 'step_done'],
  ['taskcompleted', 'step_done'],
  ['完成', 'step_done'],
  ['已完成', 'step_done'],
  ['步骤完成', 'step_done'],
  ['步骤已完成', 'step_done'],
  ['任务完成', 'step_done'],
  ['任务已完成', 'step_done'],
  ['blocked', 'blocked'],
  ['failed', 'blocked'],
  ['失败', 'blocked'],
  ['无法完成', 'blocked'],
  ['replan', 'replan'],
  ['重新规划', 'replan'],
  ['需要重新规划', 'replan'],
]);

const MARK_CHARS_MAX = 40;

const MARK_AT_START =
  /^[*_`~ \t\p{Extended_Pictographic}\p{Variation_Selector}]{0,20}[[【（［<＜]([^[【（［<＜\]】）］>＞]{1,40})[\]】）］>＞]/u;
const MARK_AT_END =
  /[*_`~ \t]{0,20}[[【（［<＜]([^[【（［<＜\]】）］>＞]{1,40})[\]】）］>＞][*_`~ \t.。!！,，;；:：…\p{Extended_Pictographic}\p{Variation_Selector}]{0,20}$/u;
const IN_BRACKETS = /^[*_`~ \t]{0,20}[[【（［]([^[【（［\]】）］]+)[\]】）］][*_`~ \t.。!！,，;；:：…]{0,20}$/;
const DECORATION = /^[*_`~ \t\p{Extended_Pictographic}\p{Variation_Selector}]+/u;
const SEPARATION = /^[*_`~ \t:：–—,，.。-]+/;

/** Symbols that contradict a mark beside them. */
const OPPOSITE: Record<Mark, RegExp> = { step_done: /[❌✖✗✘🚫⛔⏳🔄🔁⚠]/u, blocked: /[✅✔☑]/u, replan: /[✅✔☑]/u };

/** Words right before a mark that negate or merely mention it: "this is not [Done]". */
const DENIED =
  /(?:(?:\bnot|n['’]t|\bnever|\bcannot|\bno need)(?:\s{1,4}[\w'’-]{1,20}){0,2}|\b(?:say|saying|write|writing|answer|reply|respond|until|before|unless|with)|[不没未别勿]|没有|还没有?|尚未|无法|不能|不是|不算|不需要?|不用|无需|[没未不](?:能|算|要)|回复|直到|写|说)[\s:："'“‘*_`]{0,8}$/i;
/** Words right after a mark that merely mention it: "[Done] is not right". */
const SPOKEN_OF =
  /^[\s"'”’*_`]{0,8}(?:(?:is|isn['’]t|was|wasn['’]t|will|would|won['’]t|should|must|means|comes)\b|是|不是|并[未不])/i;
/** Words at the start of a line that retract what precedes it. */
const TAKES_BACK = /^(?:(?:but|wait|however|actually|hold on|hmm|no|not)\b|但|不过|等等|等一下|其实|不对)/i;
/** The first line is a mark by itself if it has brackets, or names the step or the task. */
const CLEAR_MARK = /[[【（［<＜]|step|步骤|task|任务/i;

/** Marks that may precede their text. In lower case without a separator, `replan the trip` is a sentence. */
const MARK_AND_TEXT =
  /^(?:(replan|(?:需要)?重新规划|step[ _-]?done|步骤已?完成)[*_`\s]{0,8}(?:[:：—–]|-\s)|(?:需要)?重新规划[*_`]{0,3}[,，\s])/i;
const CAPITALS_AND_REASON = /^(REPLAN)[*_`]{0,3}\s/;

/**
 * The mark with a given name: in any case, with `_`, `-` or blanks between words, as a tag, or decorated; null: none.
 */
export const markNamed = (name: string): Mark | null =>
  name.length > MARK_CHARS_MAX
    ? null
    : (NAMES.get(
        name
          .toLowerCase()
          .replaceAll(/[\s_*`~/\p{Extended_Pictographic}\p{Variation_Selector}-]/gu, '')
          .replace(/[.。!！,，;；:：…]{1,8}$/, ''),
      ) ?? null);

/**
 * Reads the mark at the end or start of prose (SPEC 5, signal). A mark elsewhere, or two different ones, do not count.
 */
export const readMark = (prose: string): MarkedText | null => {
  const lines = linesOf(prose).map(({ text }) => text);
  const [first = '', ...others] = lines;
  const last = lines.at(-1);
  if (last === undefined) return null;
  const atStart = others.length === 0 ? null : markBefore(first, others);
  const atEnd = markOfLine(last);
  if (atStart !== null && atEnd !== null && atStart.mark !== atEnd.mark) return null;
  if (atEnd !== null) {
    const end = prose.lastIndexOf(last);
    return { mark: atEnd.mark, rest: joined(prose.slice(0, end), atEnd.rest), isFirst: false };
  }
  if (atStart === null) return null;
  return {
    mark: atStart.mark,
    rest: joined(atStart.rest, prose.slice(prose.indexOf(first) + first.length)),
    isFirst: true,
  };
};

/** The mark of a first line with its text on the lines below, if they do not retract it. */
const markBefore = (first: string, below: string[]): MarkedLine | null => {
  const marked = markOfLine(first);
  if (marked === null || marked.mark === 'replan' || MARK_AND_TEXT.test(first.replace(DECORATION, ''))) return marked;
  const isAlone = marked.rest === '' && CLEAR_MARK.test(first);
  return isAlone && !below.some((line) => TAKES_BACK.test(line)) ? marked : null;
};

const WRAPPER_LINE = /^(?:(?:`{3}|~{3})[\w+.-]*|<[^<>]+>)$/;

/** Whether prose ends or begins with a mark, ignoring lines of a wrapper. */
export const hasMark = (prose: string): boolean => {
  const lines = linesOf(prose).map(({ text }) => text);
  const isMark = (line: string): boolean => markOfLine(line) !== null;
  return readMark(lines.filter((line) => isMark(line) || !WRAPPER_LINE.test(line)).join('\n')) !== null;
};

const CLOSING_TAG = /<\/[^<>]{1,60}>|<\|[^<>]{1,60}>|\[\/\w{1,40}\]|\\end\{\w{1,20}\}/g;

/** Whether a text has a word, ignoring closing tags. */
export const hasWords = (text: string): boolean => HAS_A_WORD.test(text.replaceAll(CLOSING_TAG, ''));

const joined = (...texts: string[]): string =>
  texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');

const markOfLine = (line: string): MarkedLine | null => {
  const marked = line.startsWith('>') ? null : markIn(line);
  return marked === null || OPPOSITE[marked.mark].test(line) ? null : marked;
};

const markIn = (line: string): MarkedLine | null => {
  const start = MARK_AT_START.exec(line);
  const end = MARK_AT_END.exec(line);
  const atStart = markNamed(start?.[1] ?? '');
  const atEnd = markNamed(end?.[1] ?? '');
  if (atStart !== null && atEnd !== null && atStart !== atEnd) return null;
  if (atStart !== null) {
    const rest = line.slice(start![0].length, atEnd === null ? undefined : Math.max(end!.index, start![0].length));
    return SPOKEN_OF.test(rest) ? null : { mark: atStart, rest: rest.replace(SEPARATION, '') };
  }
  if (atEnd !== null) {
    const rest = line.slice(0, end!.index);
    return DENIED.test(rest) ? null : { mark: atEnd, rest };
  }
  // Brackets may also enclose a mark with its reason: `[REPLAN: why]`.
  return bareMark(line) ?? bareMark(IN_BRACKETS.exec(line)?.[1] ?? '');
};

/** A mark without brackets: the whole line, or `REPLAN` or `STEP_DONE:` and its text. */
const bareMark = (line: string): MarkedLine | null => {
  const mark = markNamed(line);
  if (mark !== null) return { mark, rest: '' };
  const head = line.replace(DECORATION, '');
  const [before, name = '重新规划'] = MARK_AND_TEXT.exec(head) ?? CAPITALS_AND_REASON.exec(head) ?? [];
  return before === undefined
    ? null
    : { mark: markNamed(name)!, rest: head.slice(before.length).replace(SEPARATION, '') };
};

const STEP_MARK = /(?:\*\*|`)?[[【（［]\s?(?:step|步骤)[ _-]?\d{0,3}\s?[\]】）］](?:\*\*|`)?\s{0,8}[:：]?/gi;
/** A text that every such mark contains: a quick test, as most texts contain none. */
const STEP_WORD = /step|步骤/i;
const BEFORE_STEP_MARK = /^(?:[-*+•]\s{1,8}|\d{1,3}[.)、]\s{0,8})?$/;
const NUMBER =
  /^(?:(?:\d{1,3})(?:[.)](?!\d)|[、．）])|[(（](?:\d{1,3})[)）]|第(?:[一二三四五六七八九十百\d]{1,4})步[：:，,、.]?|(?:step|步骤)\s{0,4}(?:[一二三四五六七八九十百\d]{1,4})[：:.、)])/i;
/** `404. That's an error.` starts no list. */
const FIRST_NUMBER = /^[(（第]?\s{0,4}(?:step|步骤)?\s{0,4}(?:0{0,2}1|一)(?![\d十百])/i;
const BULLET = /^[-*+•·‣–]\s{1,8}(?:\[[ xX]\]\s)?/;
const QUESTION = /[?？]["'”’）)*\s]{0,8}$/;
const HAS_A_WORD = /[\p{L}\p{N}]/u;

const LIST_SIGN = new RegExp(`${NUMBER.source}|${BULLET.source}`, 'i');

/** Words of an introduction that refuses, or reports work that is over: its list is not a plan. */
const REFUSAL = [
  "sorry|apolog\\w{1,8}|regret|unable|impossible|can['’]?t|can ?not|won['’]t|will not|not (?:able|possible)",
  'refused?|declined?|(?:possible|following|several|some|these|the|my) (?:reasons?|causes?)',
  "(?:have|has|['’]ve|was|were) (?:already |now |just |all )?(?:finished|completed|done)",
].join('|');
const CHINESE_REFUSAL =
  '抱歉|对不起|不好意思|很遗憾|无法|不能|不可以|没办法|拒绝|原因|理由|已经?(?:全部|都)?(?:完成|处理|办)';
const TELLS_REASONS = new RegExp(`\\b(?:${REFUSAL})\\b|${CHINESE_REFUSAL}`, 'i');

/** Words about an outage, unless the list is about fixing one. */
const OUTAGE = [
  '(?:connect(?:ion)?|server|gateway|internal|network|upstream|api|request) (?:error|failed|failure|timeout)',
  'timed out|unavailable|overloaded|rate limit(?:ed)?|bad gateway|forbidden|unauthorized',
].join('|');
const TELLS_OUTAGE = new RegExp(`\\b(?:${OUTAGE})\\b|超时|不可用|过载|服务器错误|连接失败|请求失败`, 'i');
const MENDS =
  /\b(?:plan|steps|fix|mend|debug|diagnose|investigate|resolve|handle|repair)\b|计划|步骤|修复|排查|解决|处理/i;

/** The start of a refusal, also as an item of a list. */
const REFUSES =
  /^(?:(?:i['’]?m|i am|we are|we['’]re) (?:very |so |really )?(?:sorry|unable|not able)|sorry\b|(?:unfortunately,? )?(?:i|we) (?:can['’]?t|can ?not|won['’]t|will not)\b|(?:非常|很|实在)?(?:抱歉|对不起|不好意思)|(?:我|我们|本助手)(?:无法|不能|没办法))/i;

const FULL_STOP = /[.。!！…][*_`"'”’)）\]】]{0,4}$/;
const CLOSED = /[)）\]】"”’`*;；]$/;
const BARE_SIGN = /^(?:[-*+•·‣–]|[(（]?\d{1,3}[.)、．）]?)$/;
const OPEN_BRACKET = /[(（【“「][^)）】”」]{0,200}$/;
/** An ending that something must follow. */
const GOES_ON =
  /(?:[,，、:：/&+=-]|\b(?:a|an|the|and|or|of|to|for|from|with|into|your|my|our|their|its|than|via|per)|和|或|把|将|以及|并且|然后)$/i;

/** Fewest items that make a list a plan: a single one is as often a remark. */
const ITEMS_MIN = 2;

/**
 * The steps that prose lists (SPEC 5, signal): after `[Step]` marks, else a list with at most one line of introduction.
 * Empty: none.
 */
export const listSteps = (prose: string): string[] => {
  const marked = markedSteps(prose);
  return marked.length > 0 ? marked : listedSteps(prose);
};

/** The steps after `[Step]` marks. */
export const markedSteps = (prose: string): string[] =>
  STEP_WORD.test(prose) ? linesOf(prose).flatMap(({ text }) => stepsOfLine(text)) : [];

/** The steps of a line that starts with a mark; each further mark starts another step. */
const stepsOfLine = (line: string): string[] => {
  const marks = [...line.matchAll(STEP_MARK)];
  if (marks.length === 0 || !BEFORE_STEP_MARK.test(line.slice(0, marks[0]!.index))) return [];
  return marks
    .map((mark, i) => line.slice(mark.index + mark[0].length, marks[i + 1]?.index).replace(/[;；,，|]?\s{0,8}$/, ''))
    .map((step) => step.trim())
    .filter((step) => HAS_A_WORD.test(step));
};

const listedSteps = (prose: string): string[] => {
  const all = linesOf(prose);
  const lines = all.filter(({ text }) => HAS_A_WORD.test(text));
  const start = lines.findIndex(({ text }) => NUMBER.test(text) || BULLET.test(text));
  const head = lines[start];
  if (head === undefined || start > 1 || lines.some(({ text }) => QUESTION.test(text))) return [];
  const isRefusal = lines.some(({ text }) => REFUSES.test(text.replace(LIST_SIGN, '')));
  const introduction = start === 1 ? lines[0]!.text : '';
  const isOutage = TELLS_OUTAGE.test(introduction) && !MENDS.test(introduction);
  if (isRefusal || isOutage || TELLS_REASONS.test(introduction)) return [];
  const isNumbered = NUMBER.test(head.text);
  if (isNumbered && !FIRST_NUMBER.test(head.text)) return [];
  const kind = isNumbered ? NUMBER : BULLET;
  const steps: string[] = [];
  for (const { indent, text } of lines.slice(start)) {
    const isItem = indent <= head.indent && kind.test(text);
    if (isItem) steps.push(text.replace(kind, '').trim());
    else if (indent <= head.indent && !(isNumbered && BULLET.test(text))) return [];
  }
  if (steps.length < ITEMS_MIN || isCutOff(all.at(-1)!.text, steps)) return [];
  return steps.filter((step) => HAS_A_WORD.test(step));
};

/**
 * Whether a list breaks off in its last line: at a bare bullet, an open bracket or a word that needs another, or as a
 * single item without a full stop.
 */
const isCutOff = (last: string, steps: string[]): boolean => {
  const others = steps.slice(0, -1);
  const isLastItem = last.endsWith(steps.at(-1)!);
  const lacksStop =
    isLastItem && !FULL_STOP.test(last) && !CLOSED.test(last) && others.every((step) => FULL_STOP.test(step));
  const isOpen = OPEN_BRACKET.test(last) || last.split('**').length % 2 === 0;
  return lacksStop || isOpen || BARE_SIGN.test(last) || GOES_ON.test(last);
};

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
const FENCE_LINE = /^(?:`{3}|~{3})[\w+.-]*$/;

/** A line of prose without surrounding blanks, and the number of blanks before it. */
interface Line {
  indent: number;
  text: string;
}

/** The non-blank lines of prose; if the prose is one code fence, the lines inside. */
const linesOf = (prose: string): Line[] => {
  const lines = prose
    .split(LINE_BREAK)
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }))
    .filter(({ text }) => text !== '');
  const fences = lines.filter(({ text }) => FENCE_LINE.test(text));
  const isOneFence = fences.length === 2 && fences[0] === lines[0] && fences[1] === lines.at(-1);
  return isOneFence ? lines.slice(1, -1) : lines;
};
