import type { Temporal } from 'temporal-polyfill';
import { readEnglishNumber } from './english-number.ts';
import { holidayNames, holidayOf } from './holidays.ts';
import { temporal } from './temporal.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** A weekday's name in English, for use inside an expression. */
export const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?';

const ORDINAL = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const IN_MONTH = new RegExp(String.raw`\b(?:the )?${ORDINAL} (?:of )?(this|next) month\b`, 'i');
const MONTH_IN = new RegExp(String.raw`\b(this|next) month (?:on )?(?:the )?${ORDINAL}\b`, 'i');
const DAY_OF_MONTH = /(?:^|\bon )the (\d{1,2})(?:st|nd|rd|th)(?=$| at| \d)/i;
const IN_WEEK = new RegExp(String.raw`\bnext week (?:on )?(${WEEKDAY})\b`, 'i');
const WEEK_IN = new RegExp(String.raw`\b(${WEEKDAY}) (?:of )?next week\b`, 'i');
const WEEKS_AWAY = new RegExp(String.raw`\bin (\w+) weeks?(?:['’]? time)?,? (?:on )?(?:a )?(${WEEKDAY})\b`, 'i');
const AWAY_WEEKS = new RegExp(String.raw`\b(${WEEKDAY}) in (\w+) weeks?(?:['’]? time)?\b`, 'i');
const WEEKS_FROM = new RegExp(String.raw`\b(?:in )?(\w+) weeks? (?:from|after) (?:next |this )?(${WEEKDAY})\b`, 'i');
const HOLIDAY = new RegExp(String.raw`\b(${holidayNames('en')})(?:,? (?:of )?(\d{4}|this year|next year))?(?!\w)`, 'i');
const AFTER_TOMORROW = /\b(?:the )?day after tomorrow\b/i;
const OF_YEAR = /,? (?:of )?(this|next) year\b/i;

/** The number of a weekday by its name: 1 is Monday. */
export const weekdayNumber = (name: string): number => WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** Most weeks that a weekday is counted from: a year and more is named by its date. */
const WEEKS_MAX = 60;

const isWeeks = (weeks: number): boolean => Number.isInteger(weeks) && weeks <= WEEKS_MAX;

/**
 * The weekday of the week so many weeks away. Null where another count, of whole weeks from today to the next such day, gives another date:
 * said on a Saturday, "in two weeks on Thursday" may be either.
 */
export const weekdayInWeeks = (
  today: Temporal.PlainDate,
  weeks: number,
  dayOfWeek: number,
): Temporal.PlainDate | null =>
  !isWeeks(weeks) || dayOfWeek < today.dayOfWeek ? null : today.add({ weeks, days: dayOfWeek - today.dayOfWeek });

const comingWeekday = (today: Temporal.PlainDate, dayOfWeek: number): Temporal.PlainDate =>
  today.add({ days: (dayOfWeek - today.dayOfWeek + 7) % 7 });

/** The day of that number in a month; null when the month has none. */
const dayIn = (month: Temporal.PlainYearMonth, day: number): Temporal.PlainDate | null =>
  day >= 1 && day <= month.daysInMonth ? month.toPlainDate({ day }) : null;

/** A holiday's coming date, or that of the year that is named. */
export const holidayDate = (
  name: string,
  today: Temporal.PlainDate,
  year: number | null,
): Temporal.PlainDate | null => {
  const holiday = holidayOf(name);
  if (holiday === null || (year !== null && year < 1)) return null;
  const date = temporal().PlainDate.from({ ...holiday, year: year ?? today.year });
  return year === null && temporal().PlainDate.compare(date, today) < 0 ? date.add({ years: 1 }) : date;
};

/**
 * Rewrites as dates the English days that chrono does not read, or not rightly: holidays, days of the month, weekdays some weeks away,
 * days of the next year. Null where such a day does not exist, or may be one of two.
 */
export const rewriteEnglish = (words: string, today: Temporal.PlainDate): string | null => {
  let text = words;
  let isClear = true;
  const rewrite = (pattern: RegExp, read: (...groups: string[]) => Temporal.PlainDate | null): void => {
    text = text.replace(pattern, (all: string, ...groups: string[]) => {
      const date = read(...groups);
      isClear &&= date !== null;
      return date?.toString() ?? all;
    });
  };
  const month = today.toPlainYearMonth();
  const monthOf = (which: string): Temporal.PlainYearMonth => (/next/i.test(which) ? month.add({ months: 1 }) : month);
  const weeksAway = (weeks: string, weekday: string): Temporal.PlainDate | null =>
    weekdayInWeeks(today, readEnglishNumber(weeks), weekdayNumber(weekday));
  const inNextWeek = (weekday: string): Temporal.PlainDate =>
    today.add({ days: 7 - today.dayOfWeek + weekdayNumber(weekday) });

  rewrite(AFTER_TOMORROW, () => today.add({ days: 2 }));
  rewrite(HOLIDAY, (name, year) => {
    const named = year === undefined ? null : /^\d/.test(year) ? Number(year) : today.year + Number(/next/i.test(year));
    return holidayDate(name, today, named);
  });
  rewrite(IN_MONTH, (day, which) => dayIn(monthOf(which), Number(day)));
  rewrite(MONTH_IN, (which, day) => dayIn(monthOf(which), Number(day)));
  rewrite(DAY_OF_MONTH, (day) => dayIn(Number(day) < today.day ? month.add({ months: 1 }) : month, Number(day)));
  rewrite(IN_WEEK, inNextWeek);
  rewrite(WEEK_IN, inNextWeek);
  rewrite(WEEKS_AWAY, weeksAway);
  rewrite(AWAY_WEEKS, (weekday, weeks) => weeksAway(weeks, weekday));
  rewrite(WEEKS_FROM, (weeks, weekday) => {
    const count = readEnglishNumber(weeks);
    return isWeeks(count) ? comingWeekday(today, weekdayNumber(weekday)).add({ weeks: count }) : null;
  });
  text = text.replace(OF_YEAR, (_, which: string) => ` ${today.year + Number(/next/i.test(which))}`);
  return isClear ? text : null;
};
