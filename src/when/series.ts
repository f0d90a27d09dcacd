import { ruleDays } from './rule-days.ts';
import { instantOf, wallTimeAt } from './wall-time.ts';

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
const DAY_MS = 86_400_000;
const UNTIL = /;UNTIL=(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Last instant that a repetition is computed up to, epoch milliseconds: no time that is read lies behind its year. */
const END = Date.UTC(9_999, 11, 31, 23, 59, 59);

/** Whether a series ever happens a second time. */
export const isRepeating = ({ interval_minutes, rrule, times }: Series): boolean =>
  (interval_minutes !== null || rrule !== null) && times !== 1;

/** The instant of a rule's UNTIL, epoch milliseconds; without one its end is beyond all times. */
const lastAt = (rrule: string): number => {
  const [, year, month, day, hour, minute, second] = (UNTIL.exec(rrule) ?? []).map(Number);
  return year === undefined ? END : Date.UTC(year, month! - 1, day, hour, minute, second);
};

/** The times of a rule that are not before an instant, in order, epoch milliseconds. Those that a clock change leaves out don't happen (RFC 5545). */
function* ruleTimes(rrule: string, { first_at, timezone }: Series, from: number): Generator<number> {
  const { day: first, time } = wallTimeAt(first_at, timezone);
  const last = lastAt(rrule);
  // A day earlier, for a zone may be as much ahead of UTC.
  for (const day of ruleDays(rrule, first, Math.floor(from / DAY_MS) - 1)) {
    const at = instantOf({ day, time }, timezone);
    if (at === null || at < from || at < first_at) continue;
    if (at > last) return;
    yield at;
  }
}

/**
 * The series with so many times in all (-1: without end). A rule gets the instant of its last time as its UNTIL: what comes at a
 * given time is found without counting from the first.
 */
export function endingAfter(series: Series, times: number): Series {
  const { rrule } = series;
  if (rrule === null) return { ...series, times };
  const endless = rrule.replace(UNTIL, '');
  if (times <= 1) return { ...series, rrule: endless, times };
  let last = series.first_at;
  let left = times;
  for (const at of ruleTimes(endless, series, series.first_at)) {
    last = at;
    left -= 1;
    if (left === 0) break;
  }
  const until = new Date(last).toISOString().slice(0, 19).replace(/[-:]/g, '');
  return { ...series, rrule: `${endless};UNTIL=${until}Z`, times };
}

/** The first occurrence after an instant, both in epoch milliseconds; null when there is none. */
export function nextOccurrence(series: Series, after: number): number | null {
  if (series.first_at > after) return series.first_at;
  if (!isRepeating(series)) return null;
  if (series.rrule !== null) return ruleTimes(series.rrule, series, after + 1).next().value ?? null;
  const step = series.interval_minutes! * MINUTE_MS;
  const index = Math.floor((after - series.first_at) / step) + 1;
  return series.times === -1 || index < series.times ? series.first_at + index * step : null;
}

/** The first occurrences, at most so many, that begin in [from, to), in order; epoch milliseconds. */
export function occurrencesBetween(series: Series, from: number, to: number, most: number): number[] {
  const found: number[] = [];
  if (series.rrule !== null && isRepeating(series)) {
    for (const at of ruleTimes(series.rrule, series, from)) {
      if (at >= to || found.length >= most) break;
      found.push(at);
    }
    return found;
  }
  let at = nextOccurrence(series, from - 1);
  while (at !== null && at < to && found.length < most) {
    found.push(at);
    at = nextOccurrence(series, at);
  }
  return found;
}

/** How many occurrences begin in [from, to); those of an interval are computed and not enumerated. */
export function countBetween(series: Series, from: number, to: number): number {
  if (series.interval_minutes === null || !isRepeating(series))
    return occurrencesBetween(series, from, to, Number.POSITIVE_INFINITY).length;
  const step = series.interval_minutes * MINUTE_MS;
  const indexAt = (at: number): number => Math.max(0, Math.ceil((at - series.first_at) / step));
  const end = series.times === -1 ? indexAt(to) : Math.min(indexAt(to), series.times);
  return Math.max(0, end - indexAt(from));
}
