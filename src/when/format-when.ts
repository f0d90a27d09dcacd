import type { Temporal } from 'temporal-polyfill';
import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import { temporal } from './temporal.ts';
import { wallTimeAt } from './wall-time.ts';

const DAY_MS = 86_400_000;

/** The day of the week of a day counted from 1970-01-01, a Thursday; 1 is Monday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** In which zone and language a time is read or shown. `timezone` is an IANA name. */
export interface Locale {
  timezone: string;
  language: Language;
}

/** An instant (epoch milliseconds) as the user's clock shows it. */
export const zonedAt = (at: number, timezone: string): Temporal.ZonedDateTime =>
  temporal().Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

/** The calendar day of an instant in a zone, `YYYY-MM-DD`. */
export const dateOf = (at: number, timezone: string): string => zonedAt(at, timezone).toPlainDate().toString();

/** What a zone's clock shows at an instant, as people read it. Of the system's clock changes: the calendar library takes five times as long. */
const shownAt = (at: number, timezone: string) => {
  const { day, time } = wallTimeAt(at, timezone);
  const [date, clock] = new Date(day * DAY_MS + time).toISOString().split('T') as [string, string];
  return { date, clock: clock.slice(0, 5), weekday: weekdayOf(day) };
};

/** A weekday's short name; days count from 1, Monday. */
export const weekdayName = (day: number, language: Language): string => messages(language).when.weekdays[day - 1] ?? '';

/** A day as people read it: `2026-11-22 (Sun)`. */
export function formatDay(at: number, { timezone, language }: Locale): string {
  const { date, weekday } = shownAt(at, timezone);
  return messages(language).when.withWeekday(date, weekdayName(weekday, language));
}

/** A time as people read it: `2026-11-22 15:00 (Sun)`. Seconds are left out. */
export function formatTime(at: number, { timezone, language }: Locale): string {
  const { date, clock, weekday } = shownAt(at, timezone);
  return messages(language).when.withWeekday(`${date} ${clock}`, weekdayName(weekday, language));
}

/** A stretch of time as people read it: `2026-11-22 15:00–16:00 (Sun)`, with the end's date when that is another day. */
export function formatSpan(from: number, to: number, { timezone, language }: Locale): string {
  const [start, end] = [shownAt(from, timezone), shownAt(to, timezone)];
  const until = start.date === end.date ? end.clock : `${end.date} ${end.clock}`;
  return messages(language).when.withWeekday(
    `${start.date} ${start.clock}–${until}`,
    weekdayName(start.weekday, language),
  );
}
