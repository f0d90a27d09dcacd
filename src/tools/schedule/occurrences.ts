import { countBetween, isRepeating, occurrencesBetween, type Series } from '../../when/series.ts';
import type { ScheduleEvent, ScheduleFields } from './schedule-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far ahead an endless repetition is checked for overlaps (SPEC 8). */
const ENDLESS_OVERLAP_MS = 31 * DAY_MS;
/** The same for a repetition with an end, which can be centuries away. */
const BOUNDED_OVERLAP_MS = 366 * DAY_MS;

/**
 * Most times of repeating events that one answer computes: every minute of 31 days, shared by the other repeating
 * events.
 */
const OVERLAP_TIMES_MAX = 45_000;
/**
 * Most days that one answer computes beyond 31 for each event, shared by the other repeating events: each time of a
 * rule is computed.
 */
const OVERLAP_DAYS_MAX = 2_000;

/** One occurrence of an event, in epoch milliseconds. */
export interface Occurrence {
  from: number;
  to: number;
}

/** The series in force: the event's own, or only its first time while its repetition is off. */
export const seriesInForce = ({ series, repeats }: ScheduleFields): Series =>
  repeats ? series : { ...series, times: 1 };

/** The first `max` occurrences of an event that touch [from, to). One that merely ends at `from` does not count. */
export function occurrencesOf(event: ScheduleFields, from: number, to: number, most: number): Occurrence[] {
  const length = event.duration_minutes * MINUTE_MS;
  const starts = occurrencesBetween(seriesInForce(event), from - length + 1, to, most);
  return starts.map((at) => ({ from: at, to: at + length }));
}

/** The number of such occurrences. */
export const countOccurrences = (event: ScheduleFields, from: number, to: number): number =>
  countBetween(seriesInForce(event), from - event.duration_minutes * MINUTE_MS + 1, to);

/** The period in which an event is checked for overlaps, in epoch milliseconds. */
export function overlapWindow(event: ScheduleEvent, now: number): Occurrence {
  const series = seriesInForce(event);
  if (!isRepeating(series)) return { from: series.first_at, to: series.first_at + event.duration_minutes * 60_000 };
  const from = Math.max(now, series.first_at);
  return { from, to: from + (series.times === -1 ? ENDLESS_OVERLAP_MS : BOUNDED_OVERLAP_MS) };
}

/** The times in `theirs` that overlap one in `ours`; both are sorted. Touching is not overlapping. */
function overlapping(ours: Occurrence[], theirs: Occurrence[]): Occurrence[] {
  let index = 0;
  return theirs.filter(({ from, to }) => {
    while (index < ours.length && ours[index]!.to <= from) index++;
    return index < ours.length && ours[index]!.from < to;
  });
}

/**
 * The other events that overlap an event, soonest first, each with its first overlap and their number. With many
 * repeating events the count is cut.
 */
export function findOverlaps(event: ScheduleEvent, candidates: ScheduleEvent[], { from, to }: Occurrence) {
  const others = candidates.filter(({ id }) => id !== event.id);
  const repeating = others.filter((other) => isRepeating(seriesInForce(other))).length || 1;
  const timesEach = Math.floor(OVERLAP_TIMES_MAX / repeating);
  const end = Math.min(to, from + Math.max(ENDLESS_OVERLAP_MS, Math.floor(OVERLAP_DAYS_MAX / repeating) * DAY_MS));
  const ours = occurrencesOf(event, from, to, OVERLAP_TIMES_MAX);
  return others
    .flatMap((other) => {
      const isSingle = !isRepeating(seriesInForce(other));
      const theirs = occurrencesOf(other, from, isSingle ? to : end, timesEach);
      const shared = overlapping(ours, theirs);
      if (shared[0] === undefined) return [];
      const isCut = !isSingle && (end < to || theirs.length === timesEach);
      return [{ other, first: shared[0], count: shared.length, isCut }];
    })
    .sort((a, b) => a.first.from - b.first.from || a.other.id - b.other.id);
}
