import type { ParsedResult } from 'chrono-node';
import type { Temporal } from 'temporal-polyfill';
import { chineseAnswers, chineseTimes, simplified } from './chinese.ts';
import { englishAnswers, englishTimes } from './english.ts';
import { fixedDates } from './fixed-dates.ts';
import { dated, type Placed, type Said, type TimeRule } from './said.ts';
import { chrono } from './temporal.ts';
import { findZones, zoneAt } from './zones.ts';

/** Everything that a text says about one time. */
export interface Times extends Said {
  /** The hour, and the repetition or the distance from now, in the text's words. */
  clockWords: string;
  words: string;
  /** The subject takes place in the evening: its bare 9 may be 21:00. */
  isForEvening: boolean;
  /** Expressions of time that are not understood, or of which there is one too many. */
  unclear: string[];
  /** The text without all of these. */
  rest: string;
}

/** Longest text that is searched for times, in characters. The end of a longer text is not searched. */
const TIMES_CHARS_MAX = 500;

/** True if a text names a time at all. */
export const saysTime = ({ day, rule, clock, part, seconds, unclear }: Times): boolean =>
  (day ?? rule ?? clock ?? part ?? seconds) !== undefined || unclear.length > 0;

const HAN = /\p{Script=Han}/u;
const BARE_WORD = /^[a-z]+\.?$/i;
const LEADS_TO_MONTH = /\b(?:in|by|until) $/i;
const SHORT_DAY = /^(?:sun|sat|wed)\.?$/i;
/** Words that fix a day even if it has passed. */
const FIXES_DAY = /\b(?:last|past|this)\b/i;
const NAMES_ZONE = /(?<![A-Za-z])(?!AM|PM)[A-Z]{2,5}\b|\d ?[+-]\d{1,2}(?::?\d{2})?$/;
const SLASHED = /(?<![\w./-])(\d{1,2})\/(\d{1,2})(?![\w%])/;
/** `3/5` is March to some and May to others. */
const DAY_AND_MONTH = /(?<![\d.:/-])(\d{1,2})[./-](\d{1,2})(?![\d:])/;
const RANGE_OF_HOURS = /from|between|at|:|[ap]\.?m/i;
/** Words that chrono would misread: parts of the day, and T20, a kind of cricket, as an hour. */
const NOT_FOR_CHRONO = /\b(?:morning|afternoon|evening|night)\b|(?<= )T\d{1,2}\b(?!:)/gi;

/** Texts that look like an hour or a date but are not. */
const NO_TIME =
  /(?<![\d:])(?:at )?\d{1,2}:\d{2}(?![\d:])|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \d{1,2}(?!\d)/gi;
/** A holiday is a day that is not understood; without another day it is asked for. */
const HOLIDAY =
  /\b(?:christmas|xmas|new year'?s (?:eve|day)|halloween|valentine'?s day|boxing day)(?!\w)|元旦|国庆|圣诞|平安夜|跨年|情人节|[劳妇儿]\S节|五一|六一/i;
const EVENING =
  /\b(?:dinner|supper|party|drinks?|movies?|films?|cinema|concert|theat(?:er|re)|opera|gala|bar|pub)\b|晚饭|晚餐|晚宴|聚会|派对|夜宵|电影|演唱会|音乐会|酒吧|看戏/i;

/**
 * Characters of which every English time contains one. Most sentences contain none, so that chrono need not be loaded.
 */
const ENGLISH_TIME =
  /\d|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|ju[nl]|aug|sep|oct|nov|dec|to(?:day|night|morrow)|tmr|yester|now|noon|mid|morning|afternoon|evening|night|hour|min|day|week|month|year|every|each|daily|yearly|next|last|past|coming|following|easter|thanks|fortnight|father|mother|chinese|lunar|quarter|half|hr|spring|summer|autumn|winter|(?:five|ten|twenty) to|at (?:one|two|t|f|s|eight|nine|eleven))/i;

/** A text of the same length in the characters that the rules use. */
const plain = (text: string): string =>
  simplified(text)
    .replace(/[\uff01-\uff5e]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/\s/g, ' ')
    .replace(/[‘’]/g, "'");

/** Chrono's reading, or null if it is a word of the title after all. */
const saidBy = ({ start, end, text }: ParsedResult, before: string, isAnswer: boolean): Said | null => {
  const has = (name: 'day' | 'weekday' | 'month' | 'hour' | 'meridiem'): boolean => start.isCertain(name);
  if (BARE_WORD.test(text) && has('month') && !has('day')) return LEADS_TO_MONTH.test(before) ? {} : null;
  if (SHORT_DAY.test(text) && !isAnswer) return null;
  const hasDay = has('day') || has('weekday');
  const isRange = Boolean(end) && !hasDay;
  if (isRange && !isAnswer && !RANGE_OF_HOURS.test(text)) return null;
  if (text === '24/7') return null;
  const said: Said = {};
  const [, one, other] = DAY_AND_MONTH.exec(text) ?? [];
  if (one !== other && Number(one) <= 12 && Number(other) <= 12) return {};
  if (start.tags().has('result/relativeDateAndTime')) return {};
  if (hasDay) {
    const fields = { year: start.get('year')!, month: start.get('month')!, day: start.get('day')! };
    const isFull = has('day') ? start.isCertain('year') : FIXES_DAY.test(text);
    const named = has('day') ? 'without_year' : 'weekday';
    Object.assign(said, dated(fields, isFull ? 'fully' : named));
    if (has('weekday') && said.day?.date.dayOfWeek !== (start.get('weekday') || 7)) return {};
    if (end && (!has('hour') || end.get('weekday') !== start.get('weekday'))) return {};
  } else if (has('month') || start.isCertain('year')) return {};
  if (!has('hour')) return said;
  // "at 9am until Friday"
  if (end && !end.isCertain('hour')) return {};
  const clock = { hour: start.get('hour')!, minute: start.get('minute') ?? 0 };
  const isSure = has('meridiem') || clock.hour > 12 || clock.hour === 0 || /\b0\d:/.test(text);
  said.clock = { ...clock, isSure };
  if (end) {
    const hour = end.get('hour')!;
    said.until = { hour, minute: end.get('minute') ?? 0, isSure: end.isCertain('meridiem') || hour > 12 };
  }
  if (start.isCertain('timezoneOffset') && NAMES_ZONE.test(text)) said.zone = zoneAt(start.get('timezoneOffset')!);
  return said;
};

/** The end of an expression that chrono read: a small word after an hour is not a zone ("3pm art class"). */
const endOf = ({ index, text, start }: ParsedResult): number => {
  const isWord = start.isCertain('timezoneOffset') && !NAMES_ZONE.test(text);
  return index + (isWord ? text.replace(/(?<!\s)\s+[a-z]{2,5}$/i, '') : text).length;
};

/** Text between expressions that belong together. */
const JOINT = /^[\s,，的]*$/u;

/**
 * Whether an hour stands next to a zone, directly or across other expressions. Otherwise the zone's name is a word of
 * the title.
 */
const isBesideClock = (zone: Placed, all: Placed[], text: string): boolean => {
  const index = all.indexOf(zone);
  const areJoined = (one: Placed, other: Placed): boolean => JOINT.test(text.slice(one.end, other.start));
  const gapBefore = all.findLastIndex((each, i) => i > 0 && i <= index && !areJoined(all[i - 1]!, each));
  const gapAfter = all.findIndex((each, i) => i >= index && i + 1 < all.length && !areJoined(each, all[i + 1]!));
  const run = all.slice(Math.max(0, gapBefore), gapAfter === -1 ? all.length : gapAfter + 1);
  return run.some(({ said }) => said.clock !== undefined);
};

/** The expressions of time in a text, in order and without overlaps. */
const expressions = (text: string, today: Temporal.PlainDate, isAnswer: boolean): Placed[] => {
  const found: Placed[] = [];
  let left = plain(text.slice(0, TIMES_CHARS_MAX));
  const mask = (start: number, end: number): void => {
    left = `${left.slice(0, start)}${'\0'.repeat(end - start)}${left.slice(end)}`;
  };
  const take = (said: Said, start: number, end: number): void => {
    found.push({ said, start, end });
    mask(start, end);
  };
  const zones = findZones(left);
  for (const { start, end } of zones) mask(start, end);
  const scan = (rules: TimeRule[]): void => {
    for (const { pattern, read } of rules) {
      // Most texts contain none, and matchAll begins by copying the expression.
      if (left.search(pattern) === -1) continue;
      for (const match of left.matchAll(pattern))
        take(read(match.groups ?? {}, today), match.index, match.index + match[0].length);
    }
  };
  const isHan = HAN.test(left);
  scan([...(isHan ? [...fixedDates, ...chineseTimes] : []), ...(isHan && isAnswer ? chineseAnswers : [])]);
  if (ENGLISH_TIME.test(left)) {
    scan([...fixedDates, ...englishTimes]);
    const noon = new Date(today.year, today.month - 1, today.day, 12);
    const searched = left.replace(NOT_FOR_CHRONO, (word) => '\0'.repeat(word.length));
    for (const result of chrono().casual.parse(searched, noon)) {
      const before = left.slice(0, result.index);
      const isTitle = /\bthe $/i.test(before) || left.startsWith("'s", result.index + result.text.length);
      const said = isTitle && BARE_WORD.test(result.text) ? null : saidBy(result, before, isAnswer);
      if (said !== null) take(said, result.index, endOf(result));
    }
  }
  scan([{ pattern: NO_TIME, read: () => ({}) }, ...(isAnswer ? englishAnswers : [])]);
  const all = [...found, ...zones].sort((one, other) => one.start - other.start);
  return all.filter((placed) => !zones.includes(placed) || isBesideClock(placed, all, left));
};

/**
 * Adds the meaning of an expression to what came before it; false if the two are incompatible, or if it means nothing.
 */
const add = (times: Times, said: Said, words: string): boolean => {
  const { day, rule, part, clock, seconds, minutes, zone } = said;
  const isSameDay = day !== undefined && day.date.dayOfWeek === times.day?.date.dayOfWeek;
  const isNamedTwice = isSameDay && (day.named === 'weekday') !== (times.day?.named === 'weekday');
  const isDay = (day ?? rule ?? seconds) !== undefined;
  const hasDay = (times.day ?? times.rule ?? times.seconds) !== undefined;
  if (isDay && hasDay && !isNamedTwice) return false;
  const pairs = [
    [part, times.part],
    [zone, times.zone],
    [clock ?? seconds, times.clock ?? times.seconds],
    [minutes, times.minutes ?? times.until],
  ];
  if (pairs.some(([added, earlier]) => added !== undefined && earlier !== undefined)) return false;
  if (Object.keys(said).length === 0) return false;
  const kept = isNamedTwice && day.named === 'weekday' ? { day: times.day } : {};
  Object.assign(times, said, kept);
  if (clock !== undefined) times.clockWords = words;
  if ((rule ?? seconds) !== undefined) times.words = words;
  return true;
};

const nothing = (text: string): Times => ({
  clockWords: '',
  words: '',
  unclear: [],
  rest: text,
  isForEvening: EVENING.test(text),
});

/** Words that introduce a time and belong to it, and those that follow one. */
const BEFORE =
  /(?<![\s,.])[\s,.]*\b(?:it(?:['’]s| is)|due(?: on| by| at)?|by|on|at|for|until|from|in|to|starting(?: on| at| from)?)(?: the)?\s*$/i;
const BEFORE_PHRASE = /(?<![\s,.])[\s,.]*\b(?:it(?:['’]s| is)|due|by|starting|for)\s*$/i;
const BEFORE_CHINESE = /(?:定?在|于|截止到?|到期|截止|到)[:：]?\s*$/u;
const AFTER = /^\s*(?:,|to\b|that\b|about\b)?\s*/i;
const AFTER_CHINESE = /^\s*(?:(?:之前|以前|前)(?=[\s,，\p{Script=Han}]|$)|的时候|时候)?\s*[,，]?\s*(?:的|要)?\s*/u;
const BEGINS_WITH_PREPOSITION = /^(?:at|on|in|from|by|@|between|for|lasting|until|around|before|due)\b/i;
/** The words before the last day of a repetition. */
const ENDS_AT = /^\s*(?:until|till?|through|thru|直?到|至|截[止至]到?)\s*$/iu;
const HAS_END = /\b(?:until|till?)\b|直到/i;
const BEGINS_WITH_END = /^\s*(?:(?:until|till?)\b|直到)/i;
/** Words before a time that make it a bound and not the time itself. */
const BOUND = /\b(?:before|after|until|since|between)$/i;

/** The texts before and after a cut, joined. Chinese needs no space there. */
const joined = (before: string, after: string): string => {
  const isHan = /\p{Script=Han}\s*$/u.test(before) && /^\s*\p{Script=Han}/u.test(after);
  return `${before.trimEnd()}${isHan ? '' : ' '}${after.trimStart()}`.trim();
};

const without = (text: string, { start, end }: Placed): string => {
  const isPhrase = BEGINS_WITH_PREPOSITION.test(text.slice(start, end));
  const before = text
    .slice(0, start)
    .replace(isPhrase ? BEFORE_PHRASE : BEFORE, '')
    .replace(BEFORE_CHINESE, '');
  return joined(before, text.slice(end).replace(AFTER, '').replace(AFTER_CHINESE, ''));
};

/**
 * Finds what a sentence says about a time and removes it from `rest`. Expressions that do not name a single time are
 * `unclear`. An answer may be a bare number.
 */
export function findTimes(
  text: string,
  today: Temporal.PlainDate,
  { isAnswer = false, isTodo = false }: { isAnswer?: boolean; isTodo?: boolean } = {},
): Times {
  const times = nothing(text);
  const used: Placed[] = [];
  for (const placed of expressions(text, today, isAnswer)) {
    const words = text.slice(placed.start, placed.end).trim();
    if (isTodo && placed.said.minutes !== undefined) continue;
    used.push(placed);
    if (!add(times, placed.said, words)) times.unclear.push(words);
  }
  if (times.part === 'noon') times.clock ??= { hour: 12, minute: 0, isSure: true };
  times.rest = used.toReversed().reduce(without, text);
  const bound = BOUND.exec(times.rest);
  if (used.length > 0 && bound !== null && isTodo) times.rest = times.rest.slice(0, bound.index).trim();
  else if (used.length > 0 && bound !== null) times.unclear.push(bound[0]);
  const end = times.rule === undefined ? null : HAS_END.exec(times.rest);
  if (end !== null) times.unclear.push(times.rest.slice(end.index));
  const hasDay = (times.day ?? times.rule ?? times.seconds) !== undefined;
  const figures = (hasDay || used.length === 0 ? SLASHED : /(?<![\w./-])\d{1,2}[./-]\d{1,2}(?![\w%])/).exec(times.rest);
  if (figures !== null) {
    times.unclear.push(figures[0]);
    times.rest = joined(times.rest.slice(0, figures.index), times.rest.slice(figures.index + figures[0].length));
  }
  const holiday = hasDay ? null : HOLIDAY.exec(times.rest);
  if (holiday !== null) times.unclear.push(holiday[0]);
  return times;
}

/** The time at the start of a text, and where it ends; the text after it is unrelated. Null if there is none. */
export function leadingTime(text: string, today: Temporal.PlainDate): { times: Times; end: number } | null {
  const times = nothing(text);
  let end = 0;
  for (const { said, start, end: next } of expressions(text, today, false)) {
    const isMore =
      Object.keys(said).join() === 'minutes' || (Object.keys(said).join() === 'part' && times.clock?.isSure);
    const gap = text.slice(end, start);
    // The end of a repetition cannot be stored if it is a day: "every day at 9am until Friday".
    const isEnd = end > 0 && ENDS_AT.test(gap) && (said.day !== undefined || Object.keys(said).length === 0);
    if ((!JOINT.test(gap) && !isEnd) || isMore) break;
    const words = text.slice(start, next).trim();
    const hasDay = (times.day ?? times.rule ?? times.seconds) !== undefined;
    if (isEnd || Object.keys(said).length === 0) times.unclear.push(words);
    else if (!add(times, said, words)) {
      // 周六周日 are two days, "noon tomorrow 20:00" two hours, "10:00 UTC (JST)" two zones; "tomorrow 3pm march meeting"
      // is a title after a time.
      if (said.zone !== undefined || (said.day !== undefined && (start === end || !hasDay))) times.unclear.push(words);
      break;
    }
    end = next;
  }
  if (times.rule !== undefined && BEGINS_WITH_END.test(text.slice(end))) times.unclear.push(text.slice(end));
  return end === 0 ? null : { times, end };
}
