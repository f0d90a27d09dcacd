import { countBetween, isRepeating, occurrencesBetween, type Series } from '../../when/series.ts';
import type { ScheduleEvent, ScheduleFields } from './schedule-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far ahead an endless repetition is looked at for overlaps (SPEC 8). */
const ENDLESS_OVERLAP_MS = 31 * DAY_MS;
/** The same for a repetition with an end, which can be centuries away. */
const BOUNDED_OVERLAP_MS = 366 * DAY_MS;

/** Times of repeating events that one answer reads: every minute of 31 days, shared by the other events that repeat. */
const OVERLAP_TIMES_MAX = 45_000;
/** Days that one answer reads beyond 31 for each event, shared by the other events that repeat: each time of a rule is computed. */
const OVERLAP_DAYS_MAX = 2_000;

/** One time that an event takes place, epoch milliseconds. */
export interface Occurrence {
  from: number;
  to: number;
}

/** The series that counts: the event's own, or its first time alone while its repetition is off. */
export const seriesInForce = ({ series, repeats }: ScheduleFields): Series =>
  repeats ? series : { ...series, times: 1 };

/** The first times, at most so many, that an event takes place and that touch [from, to); those that merely end at `from` don't. */
export function occurrencesOf(event: ScheduleFields, from: number, to: number, most: number): Occurrence[] {
  const length = event.duration_minutes * MINUTE_MS;
  const starts = occurrencesBetween(seriesInForce(event), from - length + 1, to, most);
  return starts.map((at) => ({ from: at, to: at + length }));
}

/** How many such times there are. */
export const countOccurrences = (event: ScheduleFields, from: number, to: number): number =>
  countBetween(seriesInForce(event), from - event.duration_minutes * MINUTE_MS + 1, to);

/** The stretch of time in which an event is looked at for overlaps, epoch milliseconds. */
export function overlapWindow(event: ScheduleEvent, now: number): Occurrence {
  const series = seriesInForce(event);
  if (!isRepeating(series)) return { from: series.first_at, to: series.first_at + event.duration_minutes * 60_000 };
  const from = Math.max(now, series.first_at);
  return { from, to: from + (series.times === -1 ? ENDLESS_OVERLAP_MS : BOUNDED_OVERLAP_MS) };
}

/** The times of `theirs` that overlap one of `ours`; both are in order. To touch is not to overlap. */
function overlapping(ours: Occurrence[], theirs: Occurrence[]): Occurrence[] {
  let index = 0;
  return theirs.filter(({ from, to }) => {
    while (index < ours.length && ours[index]!.to <= from) index++;
    return index < ours.length && ours[index]!.from < to;
  });
}

/** The other events that overlap an event, soonest first, with the first time and how many. Where many repeat the count is cut. */
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
