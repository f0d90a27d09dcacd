import type { Temporal } from 'temporal-polyfill';

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

/** What one expression says of a time. One that names a time, and not which, says nothing. */
export interface Said {
  day?: { date: Temporal.PlainDate; named: Named };
  /** An RRULE. */
  rule?: string;
  part?: PartOfDay;
  clock?: Clock;
  until?: Clock;
  /** Minutes east of UTC that the hour is meant in. */
  offset?: number;
  /** So many seconds from now. */
  seconds?: number;
  /** How long something lasts. */
  minutes?: number;
}

/** How one kind of expression is found in a text, and what it says to a user whose day is `today`. */
export interface TimeRule {
  pattern: RegExp;
  read(groups: Record<string, string | undefined>, today: Temporal.PlainDate, text: string): Said;
}

/** The rule of some days of the week; Monday is 1. `every` is 1 or 2 weeks. */
export const weekly = (days: number[], every: number): string =>
  `FREQ=WEEKLY;${every === 1 ? '' : `INTERVAL=${every};`}BYDAY=${DAYS.filter((_, i) => days.includes(i + 1)).join(',')}`;

/** The days of the week as RFC 5545 names them, Monday first. */
export const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

export const daily = (every: number): string => `FREQ=DAILY${every === 1 ? '' : `;INTERVAL=${every}`}`;

/** The rule of a day in each month; says nothing where no month has it. */
export const monthly = (date: number, every: number): Said =>
  date >= 1 && date <= 31 ? { rule: `FREQ=MONTHLY;${every === 1 ? '' : `INTERVAL=${every};`}BYMONTHDAY=${date}` } : {};

/** A day of a month, which says nothing where that month has no such day. */
export const dayIn = (month: Temporal.PlainYearMonth, day: number, named: Named): Said =>
  day >= 1 && day <= month.daysInMonth ? { day: { date: month.toPlainDate({ day }), named } } : {};

/** The coming day of that number. */
export const comingDay = (today: Temporal.PlainDate, day: number): Said => {
  const month = today.toPlainYearMonth();
  return dayIn(day < today.day ? month.add({ months: 1 }) : month, day, 'fully');
};

/** A date of each year: that of the year that is said, or the coming one. */
export const yearly = (today: Temporal.PlainDate, month: number, day: number, year: number | null): Said => {
  if (!(month >= 1 && month <= 12)) return {};
  const said = dayIn(today.with({ year: year ?? today.year, month, day: 1 }).toPlainYearMonth(), day, 'without_year');
  return year === null || said.day === undefined ? said : { day: { ...said.day, named: 'fully' } };
};

/** A weekday of the week so many weeks away; weeks begin on Monday. */
export const weekdayIn = (today: Temporal.PlainDate, weeks: number, weekday: number): Said => ({
  day: { date: today.add({ days: weeks * 7 + weekday - today.dayOfWeek }), named: 'fully' },
});

/** The hour of 24 that one of twelve is in a part of the day, 24 for the midnight at its end; null where the two do not go together. */
export const hourIn = (part: PartOfDay, hour: number): number | null => {
  switch (part) {
    case 'dawn':
      return hour <= 6 || hour === 12 ? hour % 12 : null;
    case 'morning':
      return hour >= 4 && hour <= 11 ? hour : null;
    case 'noon':
      return hour >= 11 ? hour : hour <= 2 ? hour + 12 : null;
    case 'afternoon':
      return hour === 12 ? 12 : hour <= 7 ? hour + 12 : null;
    case 'evening':
    case 'night':
      return hour >= (part === 'evening' ? 4 : 7) && hour <= 12 ? hour + 12 : null;
    default:
      return part satisfies never;
  }
};
