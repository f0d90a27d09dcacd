import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { zonedAt } from './format-when.ts';

/** When something happens: once (no interval, no rule), every so many minutes, or by a rule of RFC 5545. */
export interface Series {
  /** The first time, epoch milliseconds. */
  first_at: number;
  interval_minutes: number | null;
  /** An RRULE without COUNT, such as `FREQ=WEEKLY;BYDAY=MO`; it is reckoned in `timezone`. */
  rrule: string | null;
  timezone: string;
  /** How many times in all; -1: without end. */
  times: number;
}

/** Most occurrences of one series looked at at once: every minute of 31 days fits. */
export const OCCURRENCES_MAX = 45_000;

const MINUTE_MS = 60_000;

/** Whether a series ever happens a second time. */
export const isRepeating = ({ interval_minutes, rrule, times }: Series): boolean =>
  (interval_minutes !== null || rrule !== null) && times !== 1;

function ruleOf(rrule: string, { first_at, timezone, times }: Series): RRuleTemporal<Temporal.ZonedDateTime> {
  return new RRuleTemporal({
    rruleString: times === -1 ? rrule : `${rrule};COUNT=${times}`,
    dtstart: zonedAt(first_at, timezone),
    temporal: Temporal,
  });
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

/** The occurrences that begin in [from, to), in order, at most `OCCURRENCES_MAX`; epoch milliseconds. */
export function occurrencesBetween(series: Series, from: number, to: number): number[] {
  if (series.rrule !== null && isRepeating(series))
    return ruleOf(series.rrule, series)
      .between(new Date(from), new Date(to), true)
      .map((occurrence) => occurrence.epochMilliseconds)
      .filter((at) => at >= from && at < to)
      .slice(0, OCCURRENCES_MAX);
  const found: number[] = [];
  let at = nextOccurrence(series, from - 1);
  while (at !== null && at < to && found.length < OCCURRENCES_MAX) {
    found.push(at);
    at = nextOccurrence(series, at);
  }
  return found;
}

/** When a series is over: the start of its last occurrence in epoch milliseconds; null when it never ends. */
export function lastOccurrence(series: Series): number | null {
  if (!isRepeating(series)) return series.first_at;
  if (series.times === -1) return null;
  if (series.rrule !== null) return ruleOf(series.rrule, series).all().at(-1)?.epochMilliseconds ?? series.first_at;
  return series.first_at + (series.times - 1) * series.interval_minutes! * MINUTE_MS;
}
