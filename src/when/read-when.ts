import type { Temporal } from 'temporal-polyfill';
import { messages } from '../../contracts/messages/messages.ts';
import { leadingTime, saysTime, type Times } from './find-times.ts';
import { figures, type Locale } from './format-when.ts';
import { type Clock, hourIn, type PartOfDay } from './said.ts';
import { nextOccurrence } from './series.ts';
import { temporal, zonedAt } from './temporal.ts';
import { zoneWords } from './zones.ts';

/** Context for understanding a time: the current time (epoch milliseconds), the user's zone, the language of errors. */
export interface WhenContext extends Locale {
  now: number;
}

/** An understood time. Without a time of day (`hasTime` false), `at` is the start of that day in the user's zone. */
export interface When {
  /** Epoch milliseconds; the first occurrence if it repeats. */
  at: number;
  hasTime: boolean;
  /** How it repeats; null: it does not. */
  rrule: string | null;
  /** The zone in which it was given and repeats: the user's if none was named. */
  timezone: string;
  /** Its length, if one was given. */
  minutes: number | null;
  /** The same time in words that the tools understand. */
  words: string;
}

/** The missing part of a time: the whole time, its hour, which of two hours is meant, or a readable expression. */
export interface Lack {
  lacks: 'when' | 'hour' | 'half' | 'unclear';
  /** The uncertain words. */
  about: string;
  /** The hours that may be meant. */
  options: string[];
}

/** Longest text that is considered as a time, in characters: no time takes more words. */
const WHEN_CHARS_MAX = 80;

/** The years in which a time may be: outside of them it is a typo. */
const YEARS = { min: 1970, max: 9999 };

/**
 * The first hour of the day that is assumed to be in the morning: a bare "at 9" is the morning's, a bare "at 3" may be
 * either.
 */
const MORNING_HOUR_MIN = 8;

const HALF_DAY = 12 * 60;

const clockOf = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** The hours of the day that may be meant: one or two, or none if no day has such an hour. */
const hoursOf = ({ hour, minute, isSure }: Clock, part: PartOfDay | undefined, isForEvening: boolean): number[] => {
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return [];
  if (isSure || hour > 12 || hour === 0) return [hour];
  if (part !== undefined) return [hourIn(part, hour) ?? []].flat();
  return hour === 12 || (hour >= MORNING_HOUR_MIN && !isForEvening) ? [hour] : [hour, hour + 12];
};

const SMALL_HOURS_END = 6;

/**
 * Whether an hour can be the one meant in a part of the day. The small hours belong to a night and to a morning ("every
 * night at 2am").
 */
const goesWith = (part: PartOfDay | undefined, hour: number): boolean => {
  if (part === undefined || hourIn(part, hour) === hour) return true;
  return hour < SMALL_HOURS_END && part !== 'noon' && part !== 'afternoon';
};

/** Whether the night that a day names may be the one that extends into today's small hours. */
const isThisNight = (day: Times['day'], today: Temporal.PlainDate): boolean => {
  if (day === undefined) return false;
  const isYesterday = day.named === 'weekday' && day.date.dayOfWeek === today.subtract({ days: 1 }).dayOfWeek;
  return day.date.equals(today) || isYesterday;
};

/** The length of a range that begins at that hour. An end without am or pm is the next such hour. */
const minutesUntil = (hour: number, { clock, until }: Times): number | null => {
  if (until === undefined) return null;
  const step = until.isSure || until.hour > 12 ? 2 * HALF_DAY : HALF_DAY;
  const distance = until.hour * 60 + until.minute - hour * 60 - clock!.minute;
  return ((distance % step) + step) % step || step;
};

const firstOf = (
  rrule: string,
  plainTime: { hour: number; minute: number },
  { now, timezone }: WhenContext,
): number | null => {
  // The rule starts from yesterday, so that today's own time can be the first.
  const start = zonedAt(now, timezone)
    .subtract({ days: 1 })
    .with({ ...plainTime, second: 0, millisecond: 0 });
  const first_at = start.epochMilliseconds;
  const everyTime = rrule.replace(/;INTERVAL=\d+/, '');
  return nextOccurrence({ first_at, interval_minutes: null, rrule: everyTime, timezone, times: -1 }, now);
};

/**
 * Decides which time is meant, or what it lacks; never guesses. A past time moves forward unless its day was named in
 * full.
 */
export function settle(times: Times, context: WhenContext): When | Lack {
  const lack = (lacks: Lack['lacks'], about = '', options: string[] = []): Lack => ({ lacks, about, options });
  const { day, rule, part, clock, seconds, minutes = null, words, isForEvening } = times;
  const { now } = context;
  const timezone = times.zone ?? context.timezone;
  if (times.unclear.length > 0) return lack('unclear', times.unclear.join(', '));
  if (!saysTime(times)) return lack('when');
  const once = (at: number, hasTime: boolean, lasts = minutes): When | Lack => {
    const zoned = zonedAt(at, context.timezone);
    if (zoned.year < YEARS.min || zoned.year > YEARS.max) return lack('unclear', times.clockWords || words);
    const written = hasTime ? figures(zoned) : zoned.toPlainDate().toString();
    return { at, hasTime, rrule: null, timezone, minutes: lasts, words: written };
  };
  if (seconds !== undefined) return { at: now + seconds * 1_000, hasTime: true, rrule: null, timezone, minutes, words };
  const clockNow = zonedAt(now, day === undefined ? timezone : context.timezone);
  const today = clockNow.toPlainDate();
  if (clock === undefined) {
    if (part !== undefined || rule !== undefined || day === undefined) return lack('hour');
    const ahead = day.named === 'weekday' ? { weeks: 1 } : { years: 1 };
    const isPast = day.named !== 'fully' && temporal().PlainDate.compare(day.date, today) < 0;
    return once((isPast ? day.date.add(ahead) : day.date).toZonedDateTime(timezone).epochMilliseconds, false);
  }
  const [hour, other] = hoursOf(clock, part, isForEvening);
  if (hour === undefined) return lack('unclear', times.clockWords);
  if (other !== undefined) {
    const options = [hour, other].map((each) => clockOf(each, clock.minute));
    return lack('half', options.join('/'), options);
  }
  if (!goesWith(part, hour)) return lack('unclear', `${words} ${times.clockWords}`.trim());
  const isMidnight = hour === 24;
  const isAnotherDay = day !== undefined && !day.date.equals(today);
  if (isMidnight && isAnotherDay && clock.hour === 24 && part === undefined) return lack('unclear', times.clockWords);
  const isAfterMidnight = hour < SMALL_HOURS_END && (part === 'evening' || part === 'night');
  const lasts = minutes ?? minutesUntil(hour, times);
  const plainTime = { hour: hour % 24, minute: clock.minute };
  if (rule !== undefined) {
    // A weekly rule names the day before the small hours of its nights.
    const isOtherDay = isMidnight || (isAfterMidnight && !rule.startsWith('FREQ=DAILY'));
    const at = isOtherDay ? null : firstOf(rule, plainTime, { ...context, timezone });
    const said = [words, clockOf(hour, clock.minute), ...(times.zone === undefined ? [] : [zoneWords(timezone)])].join(
      ' ',
    );
    return at === null
      ? lack('unclear', words)
      : { at, hasTime: true, rrule: rule, timezone, minutes: lasts, words: said };
  }
  const isNextDay = isMidnight || (isAfterMidnight && day !== undefined);
  // In the small hours themselves, "tonight at 2am" may be this night or the next.
  if (isAfterMidnight && clockNow.hour < SMALL_HOURS_END && isThisNight(day, today))
    return lack('unclear', times.clockWords);
  const date = (day?.date ?? today).add({ days: isNextDay ? 1 : 0 });
  const at = date.toZonedDateTime({ timeZone: timezone, plainTime });
  if (day?.named === 'fully' || at.epochMilliseconds > now) return once(at.epochMilliseconds, true, lasts);
  const again = day?.named === 'weekday' ? { weeks: 1 } : { years: 1 };
  const ahead = day === undefined ? { days: 1 } : again;
  return once(date.add(ahead).toZonedDateTime({ timeZone: timezone, plainTime }).epochMilliseconds, true, lasts);
}

/** Today in the user's zone, from which relative days are counted. */
export const todayOf = ({ now, timezone }: WhenContext) => zonedAt(now, timezone).toPlainDate();

/** Why a text cannot be understood as a time, with valid examples. */
export const unreadable = (text: string, { language }: WhenContext): { error: string } => ({
  error: messages(language).when.unreadable(text.trim().slice(0, WHEN_CHARS_MAX)),
});

/** Text after a day that resembles a time of day was meant as one, so it must not become part of the title. */
const STARTS_AS_CLOCK = /^\s*(?:at\s+)?\d{1,2}(?:[:：.]\d|[点點时時]|\s?[ap]\.?m\b)/i;
/** A time ends at a space, at punctuation, or next to a Chinese character. */
const GOES_ON = /^[\w+:：/-]/;
const ENDS_IN_HAN = /\p{Script=Han}$/u;

/**
 * Reads the time at the start of a text and returns the text after it; digits like `2:30` use the 24-hour clock.
 * Returns an error if the time is uncertain.
 */
export function readLeadingWhen(text: string, context: WhenContext): { when: When; rest: string } | { error: string } {
  const found = text.trim() === '' ? null : leadingTime(text.slice(0, WHEN_CHARS_MAX), todayOf(context));
  if (found === null) return unreadable(text, context);
  const { times, end } = found;
  const rest = text.slice(end);
  const isCut = GOES_ON.test(rest) && !ENDS_IN_HAN.test(text.slice(0, end));
  if (isCut || (times.clock === undefined && STARTS_AS_CLOCK.test(rest))) return unreadable(text, context);
  const isClock = /\d[:：]\d/.test(times.clockWords);
  const clock = times.clock && { ...times.clock, isSure: times.clock.isSure || (isClock && times.part === undefined) };
  const when = settle({ ...times, ...(clock && { clock }) }, context);
  if (!('lacks' in when)) return { when, rest: rest.replace(/^[\s.,，。]+/, '').trim() };
  if (when.lacks !== 'half') return unreadable(text, context);
  return { error: messages(context.language).when.either(text.slice(0, end).trim(), when.options) };
}

export function readWhen(text: string, context: WhenContext): When | { error: string } {
  const read = text.length > WHEN_CHARS_MAX ? unreadable(text, context) : readLeadingWhen(text, context);
  if ('error' in read) return read;
  return read.rest === '' ? read.when : unreadable(text, context);
}
