import type { Temporal } from 'temporal-polyfill';
import { DAYS } from './said.ts';
import { temporal, zonedAt } from './temporal.ts';

/** When something happens: once (no interval, no rule), every so many minutes, or by a rule of RFC 5545. */
export interface Series {
  /** The first time, epoch milliseconds. */
  first_at: number;
  interval_minutes: number | null;
  /** An RRULE without COUNT, such as `FREQ=WEEKLY;BYDAY=MO`; it is reckoned in `timezone`. One that ends has its UNTIL beside `times`. */
  rrule: string | null;
  timezone: string;
  /** How many times in all; -1: without end. */
  times: number;
}

const MINUTE_MS = 60_000;
const UNTIL = /;UNTIL=(\d{8}T\d{6}Z)$/;

/** Last instant that a repetition is computed up to, epoch milliseconds: no time that is read lies behind its year. */
const END = Date.UTC(9_999, 11, 31, 23, 59, 59);

/** Whether a series ever happens a second time. */
export const isRepeating = ({ interval_minutes, rrule, times }: Series): boolean =>
  (interval_minutes !== null || rrule !== null) && times !== 1;

const daysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate): number =>
  from.until(to, { largestUnit: 'days' }).days;

/** The first multiple of `interval` that is not before `from`, and not before 0. */
const aligned = (interval: number, from: number): number => Math.max(0, Math.ceil(from / interval)) * interval;

/** The days of a rule (`DAILY`, `WEEKLY;BYDAY`, `MONTHLY;BYMONTHDAY`, each with an INTERVAL or none) from a day on, computed, in order and without end. */
function* ruleDays(rrule: string, first: Temporal.PlainDate, from: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]));
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const [byDay, byMonthDay] = [parts.get('BYDAY')?.split(','), Number(parts.get('BYMONTHDAY'))];
  if (byDay !== undefined) {
    const monday = first.subtract({ days: first.dayOfWeek - 1 });
    const inWeek = DAYS.flatMap((name, day) => (byDay.includes(name) ? [day] : []));
    for (let week = aligned(interval, Math.floor(daysBetween(monday, from) / 7)); ; week += interval)
      for (const day of inWeek) yield monday.add({ days: week * 7 + day });
  }
  if (byMonthDay > 0) {
    const begin = first.toPlainYearMonth();
    const months = begin.until(from.toPlainYearMonth(), { largestUnit: 'months' }).months;
    for (let count = aligned(interval, months); ; count += interval) {
      const month = begin.add({ months: count });
      if (byMonthDay <= month.daysInMonth) yield month.toPlainDate({ day: byMonthDay });
    }
  }
  for (let days = aligned(interval, daysBetween(first, from)); ; days += interval) yield first.add({ days });
}

/** The times of a rule that are not before an instant, in order, epoch milliseconds. Those that a clock change leaves out don't happen (RFC 5545). */
function* ruleTimes(rrule: string, { first_at, timezone }: Series, from: number): Generator<number> {
  const first = zonedAt(first_at, timezone);
  const plainTime = first.toPlainTime();
  const until = UNTIL.exec(rrule)?.[1];
  const last = until === undefined ? END : temporal().Instant.from(until).epochMilliseconds;
  for (const day of ruleDays(rrule, first.toPlainDate(), zonedAt(from, timezone).toPlainDate())) {
    const zoned = day.toZonedDateTime({ timeZone: timezone, plainTime });
    const at = zoned.epochMilliseconds;
    if (at > last) return;
    if (at >= from && at >= first_at && zoned.toPlainTime().equals(plainTime)) yield at;
  }
}

/** The series with so many times in all (-1: without end). A rule gets its last time as UNTIL, so that nothing counts from the first. */
export function endingAfter(series: Series, times: number): Series {
  const { rrule } = series;
  if (rrule === null) return { ...series, times };
  const endless = rrule.replace(UNTIL, '');
  if (times <= 1) return { ...series, rrule: endless, times };
  const unended = { ...series, rrule: endless, times: -1 };
  const last = occurrencesBetween(unended, series.first_at, Number.POSITIVE_INFINITY, times).at(-1) ?? series.first_at;
  const until = new Date(last).toISOString().slice(0, 19).replace(/[-:]/g, '');
  return { ...series, rrule: `${endless};UNTIL=${until}Z`, times };
}

const DAY_MINUTES = 24 * 60;

/** The occurrence of that number (0: the first) of a repetition by an interval: days are the calendar's, in the series' zone. */
const intervalTime = ({ first_at, interval_minutes, timezone }: Series, index: number): number => {
  const minutes = index * interval_minutes!;
  if (interval_minutes! % DAY_MINUTES !== 0) return first_at + minutes * MINUTE_MS;
  return zonedAt(first_at, timezone).add({ days: minutes / DAY_MINUTES }).epochMilliseconds;
};

/** The number of the first occurrence that is not before an instant. */
const intervalIndex = (series: Series, at: number): number => {
  // A clock change moves a day's time by less than an interval of a day.
  let index = Math.max(0, Math.ceil((at - series.first_at) / (series.interval_minutes! * MINUTE_MS)) - 1);
  while (intervalTime(series, index) < at) index++;
  return index;
};

/** The occurrences that are not before an instant, in order, epoch milliseconds. */
function* timesFrom(series: Series, from: number): Generator<number> {
  const { first_at, rrule, times } = series;
  if (!isRepeating(series)) {
    if (first_at >= from) yield first_at;
  } else if (rrule !== null) yield* ruleTimes(rrule, series, from);
  else {
    for (let index = intervalIndex(series, from); times === -1 || index < times; index++)
      yield intervalTime(series, index);
  }
}

/** The first occurrence after an instant, both in epoch milliseconds; null when there is none. */
export const nextOccurrence = (series: Series, after: number): number | null =>
  series.first_at > after ? series.first_at : (timesFrom(series, after + 1).next().value ?? null);

/** The first occurrences, at most so many, that begin in [from, to), in order; epoch milliseconds. */
export function occurrencesBetween(series: Series, from: number, to: number, most: number): number[] {
  const found: number[] = [];
  for (const at of timesFrom(series, from)) {
    if (at >= to || found.length >= most) break;
    found.push(at);
  }
  return found;
}

/** How many occurrences begin in [from, to); those of an interval are computed and not enumerated. */
export function countBetween(series: Series, from: number, to: number): number {
  if (series.interval_minutes === null || !isRepeating(series))
    return occurrencesBetween(series, from, to, Number.POSITIVE_INFINITY).length;
  const last = intervalIndex(series, to);
  const end = series.times === -1 ? last : Math.min(last, series.times);
  return Math.max(0, end - intervalIndex(series, from));
}
