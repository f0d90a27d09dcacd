import type { ParsedComponents, ParsedResult } from 'chrono-node';
import type { Temporal } from 'temporal-polyfill';
import { rewriteChinese } from './chinese-words.ts';
import { chrono } from './chrono.ts';
import { rewriteEnglish, WEEKDAY, weekdayNumber } from './english-words.ts';
import { temporal } from './temporal.ts';

/** What words say of a time, before it is decided which day is meant. */
export interface DateWords {
  date: Temporal.PlainDate;
  /** How the day was named: in full, by its weekday, without a year, or not at all. Only the last three move forward. */
  named: 'fully' | 'weekday' | 'without_year' | 'not';
  time: Temporal.PlainTime | null;
  /** Minutes east of UTC, when the words name a zone of their own. */
  offsetMinutes: number | null;
}

/** A date whose weekday is said too: one that is not on that day is none. */
const WEEKDAY_AND_DATE = new RegExp(`^(?:on )?(${WEEKDAY}),? (.+)$`, 'i');
const HAN = /\p{Script=Han}/u;
/** Words that fix a day even if it has passed. */
const FIXES_DAY = /\b(?:last|past|previous|this)\b/i;
/** A zone's name or offset at the end; lower case would take "art" or "met" for one. */
const NAMES_ZONE = /(?:(?<![A-Za-z])(?!AM|PM)[A-Z]{2,5}|[+-]\d{1,2}(?::?\d{2})?)$/;
const DAY_AND_MONTH = /(?:^|\s)(\d{1,2})[/.-](\d{1,2})(?:[/.-]\d{2,4})?(?=\s|$)/;

/** `3/5` is March to some and May to others; `5/5` and `25/12` are clear. */
function isDoubtful(text: string): boolean {
  const match = DAY_AND_MONTH.exec(text);
  return match !== null && match[1] !== match[2] && Number(match[1]) <= 12 && Number(match[2]) <= 12;
}

/** Chrono's parts of the day are only implied: an hour that isn't its default of twelve, or a noon that it was sure of. */
function saysTime(start: ParsedComponents): boolean {
  if (start.isCertain('hour')) return true;
  if (start.tags().has('result/relativeDate')) return false;
  return start.get('hour') !== 12 || start.get('meridiem') !== null;
}

function namedBy(start: ParsedComponents, text: string): DateWords['named'] | null {
  if (start.isCertain('day')) return start.isCertain('year') ? 'fully' : 'without_year';
  if (start.isCertain('month') || start.isCertain('year')) return null;
  if (FIXES_DAY.test(text)) return 'fully';
  return start.isCertain('weekday') ? 'weekday' : 'not';
}

function readComponents({ start }: ParsedResult, text: string): DateWords | null {
  const named = namedBy(start, text);
  const offsetMinutes = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null;
  if (named === null || (offsetMinutes !== null && !NAMES_ZONE.test(text))) return null;
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second') => start.get(name) ?? 0;
  try {
    const date = temporal().PlainDate.from(
      { year: part('year'), month: part('month'), day: part('day') },
      { overflow: 'reject' },
    );
    const clock = { hour: part('hour'), minute: part('minute'), second: part('second') };
    return {
      date,
      named,
      time: saysTime(start) ? temporal().PlainTime.from(clock, { overflow: 'reject' }) : null,
      offsetMinutes,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Reads a whole text as a day, a time of day or both, in English or Chinese; null when any part of it is not understood, when it
 * is a range, or when it could mean two days.
 *
 * Chrono reckons with the process's own clock. So it is given noon of the user's day on that clock: noon is in no zone's gap,
 * and only whole days are ever added to it, so the process's zone makes no difference.
 */
export function readDateWords(text: string, today: Temporal.PlainDate): DateWords | null {
  const [, weekday, date] = WEEKDAY_AND_DATE.exec(text) ?? [];
  const dated = date === undefined ? null : readDay(date, today);
  if (dated?.named === 'fully' || dated?.named === 'without_year')
    return weekdayNumber(weekday!) === dated.date.dayOfWeek ? dated : null;
  return readDay(text, today);
}

/** Reads a day whose weekday is not said beside its date: each further one would be looked at once more with all that follows it. */
function readDay(text: string, today: Temporal.PlainDate): DateWords | null {
  const isChinese = HAN.test(text);
  const rewritten = isChinese ? rewriteChinese(text, today) : rewriteEnglish(text, today);
  if (rewritten === null) return null;
  const words = typeof rewritten === 'string' ? { text: rewritten, nextDay: false } : rewritten;
  if (isDoubtful(words.text)) return null;
  const noon = new Date(today.year, today.month - 1, today.day, 12);
  const results = (isChinese ? chrono.zh : chrono.en).casual.parse(words.text, noon);
  const [result] = results;
  if (result === undefined || results.length > 1 || result.text.length !== words.text.length || result.end) return null;
  // Distances in hours are read before chrono is asked; what is left of them is vague, like "a few hours".
  if (result.tags().has('result/relativeDateAndTime')) return null;
  const read = readComponents(result, words.text);
  return read && words.nextDay ? { ...read, date: read.date.add({ days: 1 }) } : read;
}
