import { createRequire } from 'node:module';
import type { ParsedResult } from 'chrono-node';
import { joined, LANGUAGES } from './read-details.ts';
import type { TimeWords } from './request.ts';

const require = createRequire(import.meta.url);

/** The date parsers, each loaded with the first text that may need it: they take most of the time of a first turn. */
const english = (): typeof import('chrono-node/en') => require('chrono-node/en');
const chinese = (): typeof import('chrono-node/zh/hans') => require('chrono-node/zh/hans');

/** In every English text that names a time, and in few others: a figure, or what the names of days, months and units begin with. */
const MAY_NAME_TIME =
  /\d|sun|mon|tue|wed|thu|fri|sat|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sec|min|hr|hour|day|week|quarter|qtr|year|yr|now|morrow|tmr|noon|morning|evening|night|\b(?:[smhdwy]|mos?)\b/i;

/** Only spans are read here, never values, so that any reference does; the tool reads the words in the user's zone. */
const ANY_DAY = new Date(Date.UTC(2024, 0, 1));

/** Text searched for a time, in characters: a request says its time near its beginning or end, not in a letter's body. */
const SEARCHED_CHARS_MAX = 300;

const SAYS_HOUR = /中午|正午|午夜|noon|midnight/iu;
const NEIGHBOURS = /^[\s,，的]*(?:(?:at|on)\s*)?$/i;
const WHICH = /(?:本|这个?|下个?|下下)$/u;
const CLOCK = String.raw`(?:\d{1,2}(?::\d{2})?(?:\s*[ap]\.?m\b)?|(?:上午|中午|下午|晚上)?[\d一二两三四五六七八九十]+点(?:半|[\d一二三四五六七八九十]+分?)?)`;
const UNTIL = new RegExp(String.raw`(?<!\s)\s*(?:to|until|till|-|–|—|~|到|至)\s*${CLOCK}`, 'iu');

/** A span of a text that names a time, with the words around it that belong to it and go when it is cut out. */
export interface TimeSpan {
  time: TimeWords;
  start: number;
  end: number;
  /** A word such as "by" or 前 marks it as a time, wherever in the text it stands. */
  isMarked: boolean;
}

interface Named {
  start: number;
  end: number;
  hasDay: boolean;
  hasHour: boolean;
  minutes: number | null;
}

/** "now" and "for a second" are words, not times to put on a schedule. */
const isTime = ({ text }: ParsedResult): boolean => !/^(?:now|for\s.*)$/i.test(text);

const HALF_DAY_MINUTES = 12 * 60;

/** From two to four is two hours, though "two" may have been said with "afternoon" and "four" without. */
const minutesBetween = (start: Date, end: Date): number | null => {
  const minutes = Math.round((end.getTime() - start.getTime()) / 60_000);
  const forward = minutes > 0 ? minutes : minutes + HALF_DAY_MINUTES;
  return forward > 0 ? forward : null;
};

const parsed = (text: string): ParsedResult[] => {
  const options = { forwardDate: true };
  const han = /\p{Script=Han}/u.test(text) ? chinese().parse(text, ANY_DAY, options).filter(isTime) : [];
  if (han.length > 0) return han;
  return MAY_NAME_TIME.test(text) ? english().parse(text, ANY_DAY, options).filter(isTime) : [];
};

/** The first time in the text; neighbouring ones ("Friday" and "15:00") are one. */
const named = (text: string): Named | null => {
  const results = parsed(text);
  const [first] = results;
  if (first === undefined) return null;
  let end = first.index;
  const found = results.filter(({ index, text: words }) => {
    const isNext = index === first.index || NEIGHBOURS.test(text.slice(end, index));
    if (isNext) end = index + words.length;
    return isNext;
  });
  const range = found.find((result) => result.end);
  return {
    start: first.index,
    end: text.startsWith('刻', end) ? end + 1 : end,
    hasDay: found.some(({ start }) => start.isCertain('day') || start.isCertain('weekday')),
    hasHour: found.some(({ start }) => start.isCertain('hour')),
    minutes: range?.end ? minutesBetween(range.start.date(), range.end.date()) : null,
  };
};

/** "every day" or 每天 without more: a time whose hour is still unknown. */
const repeatedOnly = (text: string): Named | null => {
  const match = LANGUAGES.map(({ repetition }) => repetition.exec(text)).find((found) => found !== null);
  if (match === undefined || !/day|daily|[天日]/i.test(match[0])) return null;
  return { start: match.index, end: text.length, hasDay: true, hasHour: false, minutes: null };
};

/** The words that lead to a time ("every", 本, "by"), as their length: those that belong to it, and those to cut with it. */
const leading = (before: string): { own: number; cut: number } => {
  const repetition = LANGUAGES.map((words) => words.repetition.exec(before)).find((found) => found !== null);
  const own = (repetition ?? WHICH.exec(before))?.[0].length ?? 0;
  const outside = before.slice(0, before.length - own);
  const cut = LANGUAGES.map(({ beforeTime }) => beforeTime.exec(outside)).find((found) => found !== null);
  return { own, cut: cut?.[0].length ?? 0 };
};

/** The first time that a text names, in the text's own words; null when there is none. */
export const findTime = (whole: string): TimeSpan | null => {
  const text = whole.slice(0, SEARCHED_CHARS_MAX);
  const found = named(text) ?? repeatedOnly(text);
  if (found === null) return null;
  const { own, cut } = leading(text.slice(0, found.start));
  const start = found.start - own;
  const said = text.slice(start, found.end).trim();
  const beginning = found.minutes === null ? said : said.replace(/\bfrom\s+/i, 'at ').replace(UNTIL, '');
  const words = beginning.replace(/^(?:at|on)\s+/i, '');
  const trail = LANGUAGES.map(({ afterTime }) => afterTime.exec(text.slice(found.end))?.[0] ?? '');
  return {
    time: {
      words,
      hasDay: found.hasDay || own > 0,
      hasHour: found.hasHour || SAYS_HOUR.test(words),
      minutes: found.minutes,
    },
    start: start - cut,
    end: found.end + Math.max(...trail.map(({ length }) => length)),
    isMarked: cut > 0 || trail.some((after) => /^(?:之前|以前|前)/u.test(after)),
  };
};

/** The text without the span. */
export const withoutSpan = (text: string, { start, end }: TimeSpan): string =>
  joined(text.slice(0, start), text.slice(end));
