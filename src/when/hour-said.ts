import type { FoundTimes } from './find-times.ts';
import type { PartOfDay, SaidClock } from './time-token.ts';

/** The first hours that are not taken for the night unless it is said: a bare "at 9" is the morning's, a bare "at 3" may be either. */
const MORNING_HOUR_MIN = 8;

/** An hour that is certain, `HH:MM`; one that may be either half of the day; or one that no day has with those words. */
export type Hour =
  | { kind: 'sure'; clock: string }
  | { kind: 'either'; clocks: [string, string] }
  | { kind: 'impossible' };

/** A time of day, `HH:MM`. */
export const written = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** The hour of 24 that twelve and a part of the day name; null where the two do not go together, or might be the next day's. */
const hourIn = (part: PartOfDay | 'am' | 'pm', hour: number): number | null => {
  switch (part) {
    case 'am':
      return hour % 12;
    case 'pm':
      return (hour % 12) + 12;
    case 'dawn':
      return hour <= 6 || hour === 12 ? hour % 12 : null;
    case 'morning':
      return hour >= 4 && hour <= 11 ? hour : null;
    case 'noon':
      return hour >= 11 ? hour : hour <= 2 ? hour + 12 : null;
    case 'afternoon':
      return hour === 12 ? 12 : hour <= 7 ? hour + 12 : null;
    case 'evening':
      return hour >= 4 && hour <= 11 ? hour + 12 : null;
    case 'night':
      return hour >= 7 && hour <= 11 ? hour + 12 : null;
    default:
      return part satisfies never;
  }
};

/** Which hour of the day was said. `isForEvening`: of something that takes place in the evening, whose nine may be 21:00. */
export const hourOf = (
  { hour, minute, part: own, isPadded }: SaidClock,
  part: PartOfDay | null,
  isForEvening: boolean,
): Hour => {
  if (!(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59)) return { kind: 'impossible' };
  if (hour > 12 || hour === 0 || isPadded) return { kind: 'sure', clock: written(hour, minute) };
  const said = own ?? part;
  if (said !== null) {
    const sure = hourIn(said, hour);
    return sure === null ? { kind: 'impossible' } : { kind: 'sure', clock: written(sure, minute) };
  }
  const isClear = hour === 12 || (hour >= MORNING_HOUR_MIN && !isForEvening);
  if (isClear) return { kind: 'sure', clock: written(hour, minute) };
  return { kind: 'either', clocks: [written(hour, minute), written(hour + 12, minute)] };
};

/** A time of day as minutes from its beginning. */
export const minutesIn = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

const HALF_DAY = 12 * 60;

/** The times with their beginning in the half of the day that their end names: "from 2 to 3:30pm" begins at 14:00. */
export const withRangeRead = (times: FoundTimes): FoundTimes => {
  const { clock, until, part } = times;
  if (clock === null || until === null || until.part === null || clock.part !== null || part !== null) return times;
  const end = hourOf(until, null, false);
  if (end.kind !== 'sure' || clock.hour > 12) return times;
  const before = [clock.hour % 12, (clock.hour % 12) + 12].filter(
    (hour) => hour * 60 + clock.minute < minutesIn(end.clock),
  );
  const hour = before.at(-1);
  return hour === undefined ? times : { ...times, clock: { ...clock, hour, isPadded: true } };
};

/** How long a range lasts, in minutes, when it begins at that hour; null where there is none. An end without a half of the day is the next one. */
export const minutesUntil = (begin: string, { until, part }: FoundTimes): number | null => {
  if (until === null) return null;
  const end = hourOf(until, null, false);
  const said = until.part === null && part !== null ? hourOf(until, part, false) : end;
  const clock = said.kind === 'sure' ? said.clock : written(until.hour % 12, until.minute);
  const distance = minutesIn(clock) - minutesIn(begin);
  if (distance > 0 && said.kind === 'sure' && (until.part !== null || until.hour > 12)) return distance;
  const step = until.hour > 12 || until.part !== null || until.isPadded ? HALF_DAY * 2 : HALF_DAY;
  return ((distance % step) + step) % step || step;
};
