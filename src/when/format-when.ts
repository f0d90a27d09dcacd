import type { Temporal } from 'temporal-polyfill';
import type { Language } from '../../contracts/language.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { temporal } from './temporal.ts';

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

const clockOf = (zoned: Temporal.ZonedDateTime): string => zoned.toPlainTime().toString().slice(0, 5);

/** A weekday's short name; days count from 1, Monday. */
export const weekdayName = (day: number, language: Language): string => messages(language).when.weekdays[day - 1] ?? '';

const withWeekday = (time: string, zoned: Temporal.ZonedDateTime, language: Language): string =>
  messages(language).when.withWeekday(time, weekdayName(zoned.dayOfWeek, language));

/** A day as people read it: `2026-11-22 (Sun)`. */
export function formatDay(at: number, { timezone, language }: Locale): string {
  const zoned = zonedAt(at, timezone);
  return withWeekday(zoned.toPlainDate().toString(), zoned, language);
}

/** A time as people read it: `2026-11-22 15:00 (Sun)`. Seconds are left out. */
export function formatTime(at: number, { timezone, language }: Locale): string {
  const zoned = zonedAt(at, timezone);
  return withWeekday(`${zoned.toPlainDate()} ${clockOf(zoned)}`, zoned, language);
}

/** A stretch of time as people read it: `2026-11-22 15:00–16:00 (Sun)`, with the end's date when that is another day. */
export function formatSpan(from: number, to: number, { timezone, language }: Locale): string {
  const [start, end] = [zonedAt(from, timezone), zonedAt(to, timezone)];
  const sameDay = start.toPlainDate().equals(end.toPlainDate());
  const until = sameDay ? clockOf(end) : `${end.toPlainDate()} ${clockOf(end)}`;
  return withWeekday(`${start.toPlainDate()} ${clockOf(start)}–${until}`, start, language);
}
