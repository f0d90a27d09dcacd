import type { RRuleTemporal } from 'rrule-temporal';
import type { Temporal } from 'temporal-polyfill';
import { zonedAt } from './format-when.ts';
import { rules, temporal } from './temporal.ts';

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
const UNTIL = /;UNTIL=\w+$/;

/** Whether a series ever happens a second time. */
export const isRepeating = ({ interval_minutes, rrule, times }: Series): boolean =>
  (interval_minutes !== null || rrule !== null) && times !== 1;

function ruleOf(rrule: string, { first_at, timezone, times }: Series): RRuleTemporal<Temporal.ZonedDateTime> {
  return new (rules().RRuleTemporal)({
    rruleString: times === -1 || UNTIL.test(rrule) ? rrule : `${rrule};COUNT=${times}`,
    dtstart: zonedAt(first_at, timezone),
    temporal: temporal(),
  });
}

/**
 * The series with so many times in all (-1: without end). A rule gets the instant of its last time as its UNTIL: what comes at a
 * given time is found without counting from the first, which a COUNT would need.
 */
export function endingAfter(series: Series, times: number): Series {
  const { rrule } = series;
  if (rrule === null) return { ...series, times };
  const endless = rrule.replace(UNTIL, '');
  if (times <= 1) return { ...series, rrule: endless, times };
  const last = ruleOf(endless, { ...series, times })
    .all()
    .at(-1);
  const until = last?.toInstant().toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
  return { ...series, rrule: until === undefined ? endless : `${endless};UNTIL=${until}`, times };
}

/**
 * The first occurrence after an instant, both in epoch milliseconds; null when there is none. A rule's times that a clock
 * change leaves out don't happen on that day (RFC 5545).
 */
export function nextOccurrence(series: Series, after: number): number | null {
  if (series.first_at > after) return series.first_at;
  if (!isRepeating(series)) return null;
  if (series.rrule !== null) return ruleOf(series.rrule, series).next(new Date(after))?.epochMilliseconds ?? null;
  const step = series.interval_minutes! * MINUTE_MS;
  const index = Math.floor((after - series.first_at) / step) + 1;
  return series.times === -1 || index < series.times ? series.first_at + index * step : null;
}

/** The first occurrences, at most so many, that begin in [from, to), in order; epoch milliseconds. */
export function occurrencesBetween(series: Series, from: number, to: number, most: number): number[] {
  if (series.rrule !== null && isRepeating(series))
    return ruleOf(series.rrule, series)
      .between(new Date(from), new Date(to), true)
      .map((occurrence) => occurrence.epochMilliseconds)
      .filter((at) => at >= from && at < to)
      .slice(0, most);
  const found: number[] = [];
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
