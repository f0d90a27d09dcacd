import type { Temporal } from 'temporal-polyfill';
import { temporal } from './temporal.ts';

/** A part of the day, as people name it without an hour. */
export type PartOfDay = 'dawn' | 'morning' | 'noon' | 'afternoon' | 'evening' | 'night';

/** An hour as it was given; `hour` is 0–24. `isSure` false: nothing beside it says which half of the day is meant. */
export interface Clock {
  hour: number;
  minute: number;
  isSure: boolean;
}

/** How a day was named: in full, by its weekday, or by a date without a year. Only the last two move forward. */
export type Named = 'fully' | 'weekday' | 'without_year';

/** The meaning of one expression of time. One that names no definite time means nothing. */
export interface Said {
  day?: { date: Temporal.PlainDate; named: Named };
  /** An RRULE. */
  rule?: string;
  part?: PartOfDay;
  clock?: Clock;
  until?: Clock;
  /** The zone of the hour, as an IANA name or an offset such as `+09:00`. */
  zone?: string;
  /** The number of seconds from now. */
  seconds?: number;
  /** The length of something. */
  minutes?: number;
}

/** An expression and its position in the text. */
export interface Placed {
  said: Said;
  start: number;
  end: number;
}

/** How one kind of expression is found in a text, and what it means to a user whose day is `today`. */
export interface TimeRule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>, today: Temporal.PlainDate): Said;
}

/**
 * Makes a rule from a pattern whose alternatives may reuse group names, which regular expressions allow only from Node
 * 24 on.
 */
export const timeRule = (pattern: string, flags: string, read: TimeRule['read']): TimeRule => {
  let groups = 0;
  const named = pattern.replace(/\(\?<([a-z]\w*)>/gi, (_, name: string) => `(?<${name}_${++groups}>`);
  return {
    pattern: new RegExp(named, flags),
    read: (matched, today) => {
      const found = Object.entries(matched).filter(([, text]) => text !== undefined);
      return read(Object.fromEntries(found.map(([name, text]) => [name.replace(/_\d+$/, ''), text])), today);
    },
  };
};

/** The days of the week as RFC 5545 names them, Monday first. */
export const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * A rule for days of the week (Monday is 1), for a day of the month, or for every day. Means nothing if no month has
 * that day.
 */
export const repeats = ({ days, date }: { days?: number[]; date?: number }, isAlternate: boolean): Said => {
  if (date !== undefined && !(date >= 1 && date <= 31)) return {};
  const interval = isAlternate ? ';INTERVAL=2' : '';
  if (days !== undefined) {
    const named = DAYS.filter((_, i) => days.includes(i + 1));
    return { rule: `FREQ=WEEKLY${interval};BYDAY=${named.join(',')}` };
  }
  if (date !== undefined) return { rule: `FREQ=MONTHLY${interval};BYMONTHDAY=${date}` };
  return { rule: `FREQ=DAILY${interval}` };
};

/** A day named in full, a number of days after another one. */
export const dayFrom = (date: Temporal.PlainDate, days: number): Said => ({
  day: { date: date.add({ days }), named: 'fully' },
});

/** A date, which means nothing if there is no such day. */
export const dated = (fields: { year: number; month: number; day: number }, named: Named): Said => {
  try {
    return { day: { date: temporal().PlainDate.from(fields, { overflow: 'reject' }), named } };
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
};

/** A day of a month, which means nothing if that month has no such day. */
export const dayIn = (month: Temporal.PlainYearMonth, day: number, named: Named): Said =>
  day >= 1 && day <= month.daysInMonth ? { day: { date: month.toPlainDate({ day }), named } } : {};

/** The next day with that number. */
export const comingDay = (today: Temporal.PlainDate, day: number): Said => {
  const month = today.toPlainYearMonth();
  return dayIn(day < today.day ? month.add({ months: 1 }) : month, day, 'fully');
};

/** A weekday in the week that is the given number of weeks away; weeks begin on Monday. */
export const weekdayIn = (today: Temporal.PlainDate, weeks: number, weekday: number): Said =>
  dayFrom(today, weeks * 7 + weekday - today.dayOfWeek);

/** The first and last hour for which each part of the day is used. */
const HOURS: Record<PartOfDay, [first: number, last: number]> = {
  dawn: [0, 6],
  morning: [4, 11],
  noon: [11, 14],
  afternoon: [12, 19],
  evening: [16, 24],
  night: [17, 24],
};

/**
 * The 24-hour value of a 12-hour clock's hour in a part of the day, 24 for the midnight at its end; null if they are
 * incompatible.
 */
export const hourIn = (part: PartOfDay, hour: number): number | null => {
  const [first, last] = HOURS[part];
  return [hour % 12, (hour % 12) + 12, (hour % 12) + 24].find((each) => each >= first && each <= last) ?? null;
};
