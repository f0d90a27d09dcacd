import type { Temporal } from 'temporal-polyfill';
import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import { type DateWords, readDateWords } from './date-words.ts';
import { type FixedDate, readFixedDate } from './fixed-date.ts';
import type { Locale } from './format-when.ts';
import { readFromNow } from './from-now.ts';
import { temporal, zonedAt } from './temporal.ts';

/** Around what a time is understood: the current time (epoch milliseconds), the user's zone, the language of errors. */
export interface WhenContext extends Locale {
  now: number;
}

/** A time that was understood. Without a time of day (`hasTime` false) `at` is the start of that day in the user's zone. */
export interface When {
  /** Epoch milliseconds. */
  at: number;
  hasTime: boolean;
}

/** Longest text that is looked at as a time, in characters: no time takes more words. */
export const WHEN_CHARS_MAX = 80;

/** Longest text that can be one of `WHEN_CHARS_MAX` with more spaces than it needs, in characters. */
export const SPACED_CHARS_MAX = 1_000;

/** The years that a time may lie in: outside of them it is a slip of the pen. */
const YEAR_MIN = 1970;
const YEAR_MAX = 9999;

/** The error for a text that is no time that can be understood, with examples of what is. */
export const unreadableWhen = (text: string, language: Language): { error: string } => ({
  error: messages(language).when.unreadable(text),
});

const inZone = (date: Temporal.PlainDate, time: Temporal.PlainTime | null, timezone: string): When => ({
  at: (time === null
    ? date.toZonedDateTime(timezone)
    : date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation: 'compatible' })
  ).epochMilliseconds,
  hasTime: time !== null,
});

function resolveFixed({ date, time, instant }: FixedDate, timezone: string): When {
  return instant ? { at: instant.epochMilliseconds, hasTime: true } : inZone(date, time, timezone);
}

/** Moves a day that was not named in full to the first one that has not passed. */
function resolveWords(words: DateWords, { now, timezone }: WhenContext): When {
  const { date, time, offsetMinutes } = words;
  if (offsetMinutes !== null && time !== null)
    return {
      at: date.toZonedDateTime({ timeZone: 'UTC', plainTime: time }).epochMilliseconds - offsetMinutes * 60_000,
      hasTime: true,
    };
  const when = inZone(date, time, timezone);
  const today = zonedAt(now, timezone).toPlainDate();
  const passed = time === null ? temporal().PlainDate.compare(date, today) < 0 : when.at <= now;
  if (!passed) return when;
  switch (words.named) {
    case 'fully':
      return when;
    case 'weekday':
      return inZone(date.add({ weeks: 1 }), time, timezone);
    case 'without_year':
      return inZone(date.add({ years: 1 }), time, timezone);
    case 'not':
      return inZone(date.add({ days: 1 }), time, timezone);
    default:
      return words.named satisfies never;
  }
}

function resolveFromNow(text: string, { now, timezone }: WhenContext): When | null {
  const distance = readFromNow(text);
  if (distance === null) return null;
  const { seconds, ...calendar } = distance;
  const day = zonedAt(now, timezone).add(calendar);
  const isDay = seconds === 0 && Object.values(calendar).some((amount) => amount > 0);
  return isDay
    ? inZone(day.toPlainDate(), null, timezone)
    : { at: day.add({ seconds }).epochMilliseconds, hasTime: true };
}

/**
 * Understands a whole text as a time, in figures or in English or Chinese words. What passed is moved forward unless the day
 * was named in full. An hour that a clock change leaves out is moved by the change, one that comes twice is the first
 * (Temporal's `compatible`). Never guesses: what is impossible, vague or has two meanings is an error.
 */
export function parseWhen(text: string, context: WhenContext): When | { error: string } {
  const unreadable = unreadableWhen(text.trim().slice(0, WHEN_CHARS_MAX), context.language);
  if (text.length > SPACED_CHARS_MAX) return unreadable;
  const words = text.normalize('NFKC').trim().replace(/\s+/g, ' ');
  if (words === '' || words.length > WHEN_CHARS_MAX) return unreadable;
  const fixed = readFixedDate(words);
  if (fixed === 'impossible') return unreadable;
  const when = fixed ? resolveFixed(fixed, context.timezone) : readInWords(words, context);
  if (when === null) return unreadable;
  const { year } = zonedAt(when.at, context.timezone);
  return year < YEAR_MIN || year > YEAR_MAX ? unreadable : when;
}

const DAY_AND_CLOCK = /^(.*\S) ([01]\d|2[0-3]):([0-5]\d)$/;

/** A day in words before an hour in figures: each is read by itself, for chrono does not know all days that are read here. */
function readDayAndClock(words: string, context: WhenContext): When | null {
  const [, day, hour, minute] = DAY_AND_CLOCK.exec(words) ?? [];
  if (day === undefined) return null;
  const today = zonedAt(context.now, context.timezone).toPlainDate();
  const time = temporal().PlainTime.from({ hour: Number(hour), minute: Number(minute) });
  const away = resolveFromNow(day, context);
  if (away !== null)
    return away.hasTime ? null : inZone(zonedAt(away.at, context.timezone).toPlainDate(), time, context.timezone);
  const read = readDateWords(day, today);
  return read === null || read.time !== null ? null : resolveWords({ ...read, time }, context);
}

function readInWords(words: string, context: WhenContext): When | null {
  const atClock = readDayAndClock(words, context);
  if (atClock) return atClock;
  const fromNow = resolveFromNow(words, context);
  if (fromNow) return fromNow;
  const read = readDateWords(words, zonedAt(context.now, context.timezone).toPlainDate());
  return read && resolveWords(read, context);
}
