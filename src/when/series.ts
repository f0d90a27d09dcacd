import type { Temporal } from 'temporal-polyfill';
import { DAYS } from './said.ts';
import { temporal, zonedAt } from './temporal.ts';

/** When something happens: once (no interval, no rule), at an interval in minutes, or by an RFC 5545 rule. */
export interface Series {
  /** The first time, in epoch milliseconds. */
  first_at: number;
  interval_minutes: number | null;
  /**
   * An RRULE without COUNT, such as `FREQ=WEEKLY;BYDAY=MO`, evaluated in `timezone`. One that ends has its UNTIL beside
   * `times`.
   */
  rrule: string | null;
  timezone: string;
  /** Total number of times; -1: without end. */
  times: number;
}

const MINUTE_MS = 60_000;
const UNTIL = /;UNTIL=(\d{8}T\d{6}Z)$/;

/** Last instant up to which a repetition is computed, in epoch milliseconds: no valid time is after that year. */
const END = Date.UTC(9_999, 11, 31, 23, 59, 59);

/** Whether a series happens more than once. */
export const isRepeating = ({ interval_minutes, rrule, times }: Series): boolean =>
  (interval_minutes !== null || rrule !== null) && times !== 1;

const daysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate): number =>
  from.until(to, { largestUnit: 'days' }).days;

/** The first multiple of `interval` that is at least `from` and at least 0. */
const aligned = (interval: number, from: number): number => Math.max(0, Math.ceil(from / interval)) * interval;

/**
 * The days of a rule (`DAILY`, `WEEKLY;BYDAY`, `MONTHLY;BYMONTHDAY`, each optionally with an INTERVAL) from a day on,
 * in order and without end.
 */
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

/**
 * The times of a rule from an instant on, in order, in epoch milliseconds. Times that a clock change skips do not
 * happen (RFC 5545).
 */
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

/**
 * The series limited to a total number of times (-1: without end). A rule gets its last time as UNTIL, so that nothing
 * has to count from the first.
 */
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

/**
 * The occurrence with that number (0: the first) of a repetition at an interval. Days are calendar days in the series'
 * zone.
 */
const intervalTime = ({ first_at, interval_minutes, timezone }: Series, index: number): number => {
  const minutes = index * interval_minutes!;
  if (interval_minutes! % DAY_MINUTES !== 0) return first_at + minutes * MINUTE_MS;
  return zonedAt(first_at, timezone).add({ days: minutes / DAY_MINUTES }).epochMilliseconds;
};

/** The number of the first occurrence from an instant on. */
const intervalIndex = (series: Series, at: number): number => {
  // A clock change moves a daily time by less than a day.
  let index = Math.max(0, Math.ceil((at - series.first_at) / (series.interval_minutes! * MINUTE_MS)) - 1);
  while (intervalTime(series, index) < at) index++;
  return index;
};

/** The occurrences from an instant on, in order, in epoch milliseconds. */
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

/** The first occurrence after an instant, both in epoch milliseconds; null: none. */
export const nextOccurrence = (series: Series, after: number): number | null =>
  series.first_at > after ? series.first_at : (timesFrom(series, after + 1).next().value ?? null);

/** The first `max` occurrences that begin in [from, to), in order; epoch milliseconds. */
export function occurrencesBetween(series: Series, from: number, to: number, most: number): number[] {
  const found: number[] = [];
  for (const at of timesFrom(series, from)) {
    if (at >= to || found.length >= most) break;
    found.push(at);
  }
  return found;
}

/** The number of occurrences that begin in [from, to). Those at an interval are computed, not enumerated. */
export function countBetween(series: Series, from: number, to: number): number {
  if (series.interval_minutes === null || !isRepeating(series))
    return occurrencesBetween(series, from, to, Number.POSITIVE_INFINITY).length;
  const last = intervalIndex(series, to);
  const end = series.times === -1 ? last : Math.min(last, series.times);
  return Math.max(0, end - intervalIndex(series, from));
}
