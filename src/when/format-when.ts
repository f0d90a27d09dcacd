import type { Temporal } from 'temporal-polyfill';
import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import { DAYS } from './said.ts';
import { zonedAt } from './temporal.ts';

/** The zone and language in which a time is read or shown. `timezone` is an IANA name. */
export interface Locale {
  timezone: string;
  language: Language;
}

const withWeekday = (text: string, { dayOfWeek }: Temporal.ZonedDateTime, language: Language): string => {
  const { withWeekday: written, weekdays } = messages(language).when;
  return written(text, weekdays[dayOfWeek - 1]!);
};

/** A time without its weekday, as people and tools read it: `2026-11-22 15:00`. Omits seconds. */
export const figures = (zoned: Temporal.ZonedDateTime): string =>
  zoned.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');

/** A day for people: `2026-11-22 (Sun)`. */
export function formatDay(at: number, { timezone, language }: Locale): string {
  const zoned = zonedAt(at, timezone);
  return withWeekday(zoned.toPlainDate().toString(), zoned, language);
}

/** A time for people: `2026-11-22 15:00 (Sun)`. Omits seconds. */
export function formatTime(at: number, { timezone, language }: Locale): string {
  const zoned = zonedAt(at, timezone);
  return withWeekday(figures(zoned), zoned, language);
}

/** A period for people: `2026-11-22 15:00–16:00 (Sun)`, with the end's date if that is another day. */
export function formatSpan(from: number, to: number, { timezone, language }: Locale): string {
  const [start, end] = [zonedAt(from, timezone), zonedAt(to, timezone)];
  const until = figures(end);
  const isSameDay = start.toPlainDate().equals(end.toPlainDate());
  return withWeekday(`${figures(start)}–${isSameDay ? until.split(' ')[1] : until}`, start, language);
}

/** A rule in words: `every Mon, Wed`, `每周一、周三`. */
export function describeRule(rrule: string, language: Language): string {
  const { everyWeek, everyMonth, everyDay, weekdays } = messages(language).when;
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]));
  const isAlternate = parts.has('INTERVAL');
  const days = parts.get('BYDAY')?.split(',');
  const names = days?.map((day) => weekdays[DAYS.indexOf(day)]!);
  if (names !== undefined) return everyWeek(isAlternate, names);
  const date = parts.get('BYMONTHDAY');
  return date === undefined ? everyDay(isAlternate) : everyMonth(isAlternate, date);
}
