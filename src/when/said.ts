import type { Temporal } from 'temporal-polyfill';
import { temporal } from './temporal.ts';

/** When in a day, as people say it without an hour. */
export type PartOfDay = 'dawn' | 'morning' | 'noon' | 'afternoon' | 'evening' | 'night';

/** An hour as it was said; `hour` is 0–24. Where `isSure` is false, nothing beside it says which half of the day is meant. */
export interface Clock {
  hour: number;
  minute: number;
  isSure: boolean;
}

/** How a day was named: in full, by its weekday, or by a date without a year. Only the last two move forward. */
export type Named = 'fully' | 'weekday' | 'without_year';

/** The meaning of one expression for a time. One that names a time, and not which, means nothing. */
export interface Said {
  day?: { date: Temporal.PlainDate; named: Named };
  /** An RRULE. */
  rule?: string;
  part?: PartOfDay;
  clock?: Clock;
  until?: Clock;
  /** The zone that the hour is meant in, as an IANA name or a distance such as `+09:00`. */
  zone?: string;
  /** So many seconds from now. */
  seconds?: number;
  /** How long something lasts. */
  minutes?: number;
}

/** An expression and its place in the text. */
export interface Placed {
  said: Said;
  start: number;
  end: number;
}

/** How one kind of expression is found in a text, and what it says to a user whose day is `today`. */
export interface TimeRule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>, today: Temporal.PlainDate): Said;
}

/** Makes a rule of a pattern whose alternatives may name the same group, which expressions may only from Node 24 on. */
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

/** A rule of days of the week (Monday is 1), of a day of the month, or of every day; says nothing where no month has that day. */
export const repeats = ({ days, date }: { days?: number[]; date?: number }, isAlternate: boolean): Said => {
  if (date !== undefined && !(date >= 1 && date <= 31)) return {};
  const [unit, by] =
    days !== undefined
      ? ['WEEKLY', `;BYDAY=${DAYS.filter((_, i) => days.includes(i + 1)).join(',')}`]
      : date === undefined
        ? ['DAILY', '']
        : ['MONTHLY', `;BYMONTHDAY=${date}`];
  return { rule: `FREQ=${unit}${isAlternate ? ';INTERVAL=2' : ''}${by}` };
};

/** A day that is named in full, so many days from another one. */
export const dayFrom = (date: Temporal.PlainDate, days: number): Said => ({
  day: { date: date.add({ days }), named: 'fully' },
});

/** A date, which says nothing where there is no such day. */
export const dated = (fields: { year: number; month: number; day: number }, named: Named): Said => {
  try {
    return { day: { date: temporal().PlainDate.from(fields, { overflow: 'reject' }), named } };
  } catch (error) {
    if (error instanceof RangeError) return {};
    throw error;
  }
};

/** A day of a month, which says nothing where that month has no such day. */
export const dayIn = (month: Temporal.PlainYearMonth, day: number, named: Named): Said =>
  day >= 1 && day <= month.daysInMonth ? { day: { date: month.toPlainDate({ day }), named } } : {};

/** The coming day of that number. */
export const comingDay = (today: Temporal.PlainDate, day: number): Said => {
  const month = today.toPlainYearMonth();
  return dayIn(day < today.day ? month.add({ months: 1 }) : month, day, 'fully');
};

/** A weekday of the week so many weeks away; weeks begin on Monday. */
export const weekdayIn = (today: Temporal.PlainDate, weeks: number, weekday: number): Said =>
  dayFrom(today, weeks * 7 + weekday - today.dayOfWeek);

/** The first and the last hour that each part of the day is said of. */
const HOURS: Record<PartOfDay, [first: number, last: number]> = {
  dawn: [0, 6],
  morning: [4, 11],
  noon: [11, 14],
  afternoon: [12, 19],
  evening: [16, 24],
  night: [17, 24],
};

/** The hour of 24 that one of twelve is in a part of the day, 24 for the midnight at its end; null where the two do not go together. */
export const hourIn = (part: PartOfDay, hour: number): number | null => {
  const [first, last] = HOURS[part];
  return [hour % 12, (hour % 12) + 12, (hour % 12) + 24].find((each) => each >= first && each <= last) ?? null;
};
