import type { Temporal } from 'temporal-polyfill';
import { chineseTimes, simplified, unreadChinese } from './chinese.ts';
import { englishAnswers, englishTimes, unreadEnglish } from './english.ts';
import { dated, type Said, type TimeRule } from './said.ts';

/** All that a text says of one time. */
export interface Times extends Said {
  /** The repetition or the distance from now, in the text's words. */
  words: string;
  /** Expressions that name a time, and are not understood or one too many. */
  unclear: string[];
  /** The text without all of these. */
  rest: string;
}

/** Text that is searched for times, in characters: in what is longer than that, none is looked for at the end. */
const TIMES_CHARS_MAX = 500;

/** True where a text names a time at all. */
export const saysTime = ({ day, rule, clock, part, seconds, unclear }: Times): boolean =>
  (day ?? rule ?? clock ?? part ?? seconds) !== undefined || unclear.length > 0;

interface Placed {
  said: Said;
  start: number;
  end: number;
}

/** A text of the same length in the letters that the rules are written in. */
const plain = (text: string): string =>
  simplified(text)
    .replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/\s/g, ' ')
    .replace(/[‘’]/g, "'");

const fixedDate: TimeRule = {
  pattern:
    /(?<!\d)(?<date>\d{4}[-/]\d{1,2}[-/]\d{1,2})(?!\d)(?:(?:T| ?)(?<h>\d{1,2}):(?<m>\d{2})(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?<z>Z|[+-]\d{2}:?\d{2}))?(?![\d:]))?/gi,
  read: ({ date, h, m, z }) => {
    const [year, month, day] = date!.split(/[-/]/).map(Number) as [number, number, number];
    const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(z ?? '') ?? [];
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
    const isTime = Number(h ?? 0) <= 23 && Number(m ?? 0) <= 59 && Math.abs(offset) <= 18 * 60;
    const said = isTime ? dated({ year, month, day }, 'fully') : {};
    if (h === undefined || said.day === undefined) return said;
    const clock = { hour: Number(h), minute: Number(m), isSure: true, isDigital: true };
    return { ...said, clock, ...(z !== undefined && { offset }) };
  },
};

const RULES = [fixedDate, ...englishTimes, ...chineseTimes];

/** The expressions of time in a text, in order; each character belongs to one at most. */
const expressions = (text: string, today: Temporal.PlainDate, isAnswer: boolean): Placed[] => {
  const found: Placed[] = [];
  let left = plain(text.slice(0, TIMES_CHARS_MAX));
  for (const { pattern, read } of [...RULES, ...(isAnswer ? englishAnswers : []), unreadChinese, unreadEnglish])
    for (const match of left.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      found.push({ said: read(match.groups ?? {}, today), start, end });
      left = `${left.slice(0, start)}${'\0'.repeat(end - start)}${left.slice(end)}`;
    }
  return found.sort((one, other) => one.start - other.start);
};

/** Adds what an expression says to what was said before it; false where the two do not go together, or it says nothing. */
const add = (times: Times, said: Said, words: string): boolean => {
  const { day, rule, part, clock, seconds, minutes } = said;
  const isSameDay = day !== undefined && day.date.dayOfWeek === times.day?.date.dayOfWeek;
  const isNamedTwice = isSameDay && (day.named === 'weekday') !== (times.day?.named === 'weekday');
  const isDay = (day ?? rule ?? seconds) !== undefined;
  const hasDay = (times.day ?? times.rule ?? times.seconds) !== undefined;
  const isFree =
    !(isDay && hasDay && !isNamedTwice) &&
    !(part !== undefined && times.part !== undefined) &&
    !((clock ?? seconds) !== undefined && (times.clock ?? times.seconds) !== undefined) &&
    !(minutes !== undefined && times.minutes !== undefined);
  if (!isFree || Object.keys(said).length === 0) return false;
  const kept = isNamedTwice && day.named === 'weekday' ? { day: times.day } : {};
  Object.assign(times, said, kept);
  if ((rule ?? seconds) !== undefined) times.words = words;
  return true;
};

/** Words that lead to a time and go with it, and those that follow one. */
const BEFORE =
  /(?<![\s,.])[\s,.]*\b(?:it(?:['’]s| is)|due|by|on|at|for|from|in|to|starting|before|after|until|since|between)(?: the)?\s*$/i;
const BEFORE_CHINESE = /(?:定?在|于|截止到?|截止|到)[:：]?\s*$/u;
const AFTER = /^\s*(?:,|to\b|that\b|about\b)?\s*/i;
const AFTER_CHINESE = /^\s*(?:(?:之前|以前|前)(?=[\s,，\p{Script=Han}]|$))?\s*[,，]?\s*(?:的|要)?\s*/u;
/** Words before a time which say that it is not the time itself. */
const BOUND = /\b(before|after|until|since|between) $/i;

/** The text without something in it; Chinese needs no space where it is joined. */
const without = (text: string, { start, end }: Placed): string => {
  const before = text.slice(0, start).replace(BEFORE, '').replace(BEFORE_CHINESE, '').trimEnd();
  const after = text.slice(end).replace(AFTER, '').replace(AFTER_CHINESE, '').trimStart();
  const isHan = /\p{Script=Han}$/u.test(before) && /^\p{Script=Han}/u.test(after);
  return `${before}${isHan ? '' : ' '}${after}`.trim();
};

/** Kinds of texts: an answer to a question for a time may be a bare number; a todo keeps durations in its text, and is due before a time. */
export interface FindOptions {
  isAnswer?: boolean;
  isTodo?: boolean;
}

/** Finds what a sentence says of a time, and takes it out of `rest`. What is said twice, or names no one time, is `unclear`. */
export function findTimes(
  text: string,
  today: Temporal.PlainDate,
  { isAnswer = false, isTodo = false }: FindOptions = {},
): Times {
  const times: Times = { words: '', unclear: [], rest: text };
  const used = expressions(text, today, isAnswer).filter(({ said }) => !(isTodo && said.minutes !== undefined));
  for (const { said, start, end } of used) {
    const words = text.slice(start, end).trim();
    if (!add(times, said, words)) times.unclear.push(words);
  }
  if (times.part === 'noon') times.clock ??= { hour: 12, minute: 0, isSure: true, isDigital: false };
  times.rest = used.toReversed().reduce(without, text);
  if (!isTodo) times.unclear.push(...used.flatMap(({ start }) => BOUND.exec(text.slice(0, start))?.[1] ?? []));
  return times;
}

/** The time at the head of a text, and where it ends; what follows it has nothing to do with it. Null where there is none. */
export function leadingTime(text: string, today: Temporal.PlainDate): { times: Times; end: number } | null {
  const times: Times = { words: '', unclear: [], rest: text };
  let end = 0;
  for (const { said, start, end: next } of expressions(text, today, false)) {
    const isMore =
      Object.keys(said).join() === 'minutes' || (Object.keys(said).join() === 'part' && times.clock?.isSure);
    if (!/^[\s,，的]*$/u.test(text.slice(end, start)) || isMore) break;
    const words = text.slice(start, next).trim();
    if (Object.keys(said).length === 0) times.unclear.push(words);
    else if (!add(times, said, words)) {
      // 周六周日 are two days; "tomorrow 3pm Friday meeting" is a title behind a time.
      if (start === end && said.day !== undefined) times.unclear.push(words);
      break;
    }
    end = next;
  }
  return end === 0 ? null : { times, end };
}
