import type { Temporal } from 'temporal-polyfill';
import { temporal } from './temporal.ts';

const STARTS_AS_DATE = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/;
const CLOCK = /^(?:T|\s*)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/i;
const OFFSET = /(?<!\s)\s*(Z|[+-]\d{2}:?\d{2})$/i;

/** What a date in figures says: a wall clock time in the user's zone, or an instant when it names its own offset from UTC. */
export interface FixedDate {
  date: Temporal.PlainDate;
  time: Temporal.PlainTime | null;
  instant: Temporal.Instant | null;
}

/**
 * Reads `YYYY-MM-DD`, `YYYY-MM-DD HH:MM[:SS]` and ISO 8601 with or without an offset. Null: it is not of that form
 * (a date followed by words is for the next reader). `impossible`: it is, but there is no such day or hour.
 */
export function readFixedDate(text: string): FixedDate | 'impossible' | null {
  const day = STARTS_AS_DATE.exec(text);
  if (!day) return null;
  try {
    const date = temporal().PlainDate.from(
      { year: Number(day[1]), month: Number(day[2]), day: Number(day[3]) },
      { overflow: 'reject' },
    );
    const rest = text.slice(day[0].length);
    if (rest === '') return { date, time: null, instant: null };
    const offset = OFFSET.exec(rest);
    const clock = CLOCK.exec(offset ? rest.slice(0, offset.index) : rest);
    if (!clock) return null;
    const time = temporal().PlainTime.from(
      { hour: Number(clock[1]), minute: Number(clock[2]), second: Number(clock[3] ?? 0) },
      { overflow: 'reject' },
    );
    const instant = offset ? temporal().Instant.from(`${date}T${time}${offset[1]!.toUpperCase()}`) : null;
    return { date, time, instant };
  } catch (error) {
    if (error instanceof RangeError) return 'impossible';
    throw error;
  }
}
