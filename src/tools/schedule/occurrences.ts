import { isRepeating, type Series, timesBetween } from '../../when/series.ts';
import type { ScheduleEvent, ScheduleFields } from './schedule-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How far ahead an endless repetition, and another event that repeats, is looked at for overlaps (SPEC 8). */
const REPEATING_OVERLAP_MS = 31 * DAY_MS;
/** The same for a repetition with an end, which can be centuries away. */
const BOUNDED_OVERLAP_MS = 366 * DAY_MS;

/** One time that an event takes place, epoch milliseconds. */
export interface Occurrence {
  from: number;
  to: number;
}

/** The series that counts: the event's own, or its first time alone while its repetition is off. */
export const seriesInForce = ({ series, repeats }: ScheduleFields): Series =>
  repeats ? series : { ...series, times: 1 };

/** The times that an event takes place and that touch [from, to), in order; those that merely end at `from` don't. */
export function* occurrencesOf(event: ScheduleFields, from: number, to: number): Generator<Occurrence, undefined> {
  const length = event.duration_minutes * MINUTE_MS;
  for (const at of timesBetween(seriesInForce(event), from - length + 1, to)) yield { from: at, to: at + length };
}

/** The stretch of time in which an event is looked at for overlaps, epoch milliseconds. */
export function overlapWindow(event: ScheduleEvent, now: number): Occurrence {
  const series = seriesInForce(event);
  if (!isRepeating(series)) return { from: series.first_at, to: series.first_at + event.duration_minutes * MINUTE_MS };
  const from = Math.max(now, series.first_at);
  return { from, to: from + (series.times === -1 ? REPEATING_OVERLAP_MS : BOUNDED_OVERLAP_MS) };
}

/** Another event that is on at the same time, and the first time that this is so. */
export interface Overlap {
  other: ScheduleEvent;
  first: Occurrence;
}

/** The first time of another event that overlaps one of an event. To touch is not to overlap. */
function firstOverlap(event: ScheduleEvent, other: ScheduleEvent, from: number, to: number): Occurrence | undefined {
  const ours = occurrencesOf(event, from, to);
  let our = ours.next().value;
  for (const their of occurrencesOf(other, from, to)) {
    while (our !== undefined && our.to <= their.from) our = ours.next().value;
    if (our === undefined) return undefined;
    if (our.from < their.to) return their;
  }
  return undefined;
}

/** The other events that overlap an event, the soonest first. */
export function findOverlaps(event: ScheduleEvent, candidates: ScheduleEvent[], now: number): Overlap[] {
  const { from, to } = overlapWindow(event, now);
  return candidates
    .filter(({ id }) => id !== event.id)
    .flatMap((other) => {
      const end = isRepeating(seriesInForce(other)) ? Math.min(to, from + REPEATING_OVERLAP_MS) : to;
      const first = firstOverlap(event, other, from, end);
      return first === undefined ? [] : [{ other, first }];
    })
    .sort((a, b) => a.first.from - b.first.from || a.other.id - b.other.id);
}
