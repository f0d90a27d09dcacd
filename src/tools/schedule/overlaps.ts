import { lastOccurrence } from '../when/series.ts';
import { type Occurrence, occurrencesOf, type ScheduleEvent, seriesInForce } from './schedule-store.ts';

const DAY_MS = 86_400_000;
/** How far ahead an endless repetition is looked at for overlaps (SPEC 8). */
export const ENDLESS_OVERLAP_MS = 31 * DAY_MS;
/** The same for a repetition with an end, which can be centuries away. */
export const BOUNDED_OVERLAP_MS = 366 * DAY_MS;

/** Another event that is on at the same time, the first time that this is so, and how many times of it are affected. */
export interface Overlap {
  other: ScheduleEvent;
  first: Occurrence;
  count: number;
}

/** The stretch of time in which an event is looked at for overlaps, epoch milliseconds. */
export function overlapWindow(event: ScheduleEvent, now: number): Occurrence {
  const series = seriesInForce(event);
  const length = event.duration_minutes * 60_000;
  const last = lastOccurrence(series);
  if (last === series.first_at) return { from: series.first_at, to: last + length };
  const from = Math.max(now, series.first_at);
  if (last === null) return { from, to: from + ENDLESS_OVERLAP_MS };
  return { from, to: Math.min(last + length, from + BOUNDED_OVERLAP_MS) };
}

/** The times of `theirs` that overlap one of `ours`; both are in order. To touch is not to overlap. */
function overlapping(ours: Occurrence[], theirs: Occurrence[]): Occurrence[] {
  let index = 0;
  return theirs.filter(({ from, to }) => {
    while (index < ours.length && ours[index]!.to <= from) index++;
    return index < ours.length && ours[index]!.from < to;
  });
}

/** The other events that overlap an event, the soonest first. An event never overlaps itself. */
export function findOverlaps(event: ScheduleEvent, others: ScheduleEvent[], now: number): Overlap[] {
  const window = overlapWindow(event, now);
  if (window.to <= window.from) return [];
  const ours = occurrencesOf(event, window.from, window.to);
  return others
    .filter(({ id }) => id !== event.id)
    .flatMap((other) => {
      const shared = overlapping(ours, occurrencesOf(other, window.from, window.to));
      return shared[0] ? [{ other, first: shared[0], count: shared.length }] : [];
    })
    .sort((a, b) => a.first.from - b.first.from || a.other.id - b.other.id);
}
