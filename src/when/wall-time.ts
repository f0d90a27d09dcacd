const DAY_MS = 86_400_000;

/** The last instant whose date can be written in every zone, epoch milliseconds; the first is as far before 1970. */
const LAST_SHOWN = 8.64e15 - DAY_MS;

/** Days that are looked at together: since 2001 no zone has changed its clock twice within so few, and two more. */
const STRETCH_DAYS = 7;

/** Stretches of days and zones whose offsets are remembered: several times what a month's view of the most rules looks at. About 100 bytes each. */
const STRETCHES_KEPT = 2_000;

/** Zones whose formats are remembered, some 20 KB each: as many as there are names. */
const FORMATS_KEPT = 600;

const formats = new Map<string, Intl.DateTimeFormat>();
const stretches = new Map<string, [before: number, after: number]>();

/** What `make` gives for a key, which is remembered; all that is remembered goes where it would be too much. */
const remembered = <Value>(known: Map<string, Value>, kept: number, key: string, make: () => Value): Value => {
  const value = known.get(key) ?? make();
  if (known.size >= kept && !known.has(key)) known.clear();
  known.set(key, value);
  return value;
};

/** By how much a zone is ahead of UTC at an instant, in milliseconds. Asked of the system: the calendar library looks for all clock changes before a far year. */
const offsetAt = (at: number, timezone: string): number => {
  const format = remembered(
    formats,
    FORMATS_KEPT,
    timezone.toLowerCase(),
    () => new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' }),
  );
  const [, sign, hours, minutes, seconds] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(at)) ?? [];
  if (sign === undefined) return 0;
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0);
  return (sign === '+' ? ahead : -ahead) * 1_000;
};

/** A day and a time of day on a zone's clock. */
export interface WallTime {
  /** Counted from 1970-01-01. */
  day: number;
  /** Milliseconds since midnight, as the clock shows them. */
  time: number;
}

/** What a zone's clock shows at an instant (epoch milliseconds). One that no date has, as a row may that was written by hand, counts as the first or the last that has one. */
export const wallTimeAt = (instant: number, timezone: string): WallTime => {
  const at = Math.min(Math.max(instant, -LAST_SHOWN), LAST_SHOWN);
  const shown = at + offsetAt(at, timezone);
  const day = Math.floor(shown / DAY_MS);
  return { day, time: shown - day * DAY_MS };
};

/** The instant at which a zone's clock shows a time, in epoch milliseconds: the first of two, and null where a clock change leaves it out. */
export const instantOf = ({ day, time }: WallTime, timezone: string): number | null => {
  const stretch = Math.floor(day / STRETCH_DAYS);
  const [before, after] = remembered(stretches, STRETCHES_KEPT, `${timezone.toLowerCase()} ${stretch}`, () => [
    offsetAt((stretch * STRETCH_DAYS - 1) * DAY_MS, timezone),
    offsetAt(((stretch + 1) * STRETCH_DAYS + 1) * DAY_MS, timezone),
  ]);
  const shown = day * DAY_MS + time;
  if (before === after || offsetAt(shown - before, timezone) === before) return shown - before;
  return offsetAt(shown - after, timezone) === after ? shown - after : null;
};
