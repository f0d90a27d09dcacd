import { CHINESE_DIGITS, readChineseNumber } from './chinese-number.ts';
import { readDateWords } from './date-words.ts';
import {
  parseWhen,
  SPACED_CHARS_MAX,
  unreadableWhen,
  WHEN_CHARS_MAX,
  type When,
  type WhenContext,
} from './parse-when.ts';
import { nextOccurrence } from './series.ts';
import { zonedAt } from './temporal.ts';

/** A time that may come again and again: `at` is the first, `rrule` how it repeats (null: it doesn't). */
export interface RepeatableWhen extends When {
  rrule: string | null;
}

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const WORKDAYS = DAYS.slice(0, 5);

const ENGLISH_DAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?';
const ENGLISH_DAYS = `${ENGLISH_DAY}(?:(?:,| and|, and) ?${ENGLISH_DAY})*`;
const ENGLISH_WEEK = '(?:(?:every|each) (?:week|(?<others>(?:other|second|two|2) weeks?))|weekly) (?:on )?';
const ENGLISH = new RegExp(
  `^(?:(?:every|each) (?<other>(?:other|second) )?(?:(?<day>day)|(?<workday>weekday|workday)|(?<weekend>weekend)|(?<days>${ENGLISH_DAYS})` +
    `|month on (?:the )?(?<date>\\d{1,2})(?:st|nd|rd|th)?)|${ENGLISH_WEEK}(?<ofWeek>${ENGLISH_DAYS}))` +
    '(?:,? at)?(?: (?<clock>.+))?$|^daily(?: at)? (?<daily>.+)$',
  'i',
);
const CHINESE_DAYS = '[一二三四五六日天](?:[、,和及]?(?:周|星期|礼拜)?[一二三四五六日天]){0,6}';
const CHINESE = new RegExp(
  '^(?:每个?(?:(?<day>[天日])|(?<workday>工作日|(?:周|星期)一[到至](?:周|星期)?五)|(?<weekend>周末)' +
    `|(?:周|星期|礼拜)(?<days>${CHINESE_DAYS})` +
    `|月(?<date>\\d{1,2}|[${CHINESE_DIGITS}]{1,3})[日号])` +
    `|(?<other>每?隔一?个?|每[两2]个?)(?:周|星期|礼拜)的?(?:周|星期|礼拜)?(?<ofWeek>${CHINESE_DAYS}))的? ?(?<clock>.*)$`,
);

function daysNamed(days: string): string[] {
  const named = /\p{Script=Han}/u.test(days)
    ? [...days.replace(/周|星期|礼拜/g, '').matchAll(/[一二三四五六日天]/g)].map(([day]) =>
        /[日天]/.test(day) ? 'SU' : DAYS[readChineseNumber(day) - 1]!,
      )
    : days.split(/,? and |, ?/i).map((day) => day.slice(0, 2).toUpperCase());
  return DAYS.filter((day) => named.includes(day));
}

function ruleFrom(groups: Record<string, string | undefined>): string | null {
  const days = groups['days'] ?? groups['ofWeek'];
  if (days) return `FREQ=WEEKLY;BYDAY=${daysNamed(days).join(',')}`;
  if (groups['weekend']) return 'FREQ=WEEKLY;BYDAY=SA,SU';
  if (groups['workday']) return `FREQ=WEEKLY;BYDAY=${WORKDAYS.join(',')}`;
  if (groups['date']) {
    const date = readChineseNumber(groups['date']);
    return date >= 1 && date <= 31 ? `FREQ=MONTHLY;BYMONTHDAY=${date}` : null;
  }
  return 'FREQ=DAILY';
}

/** Only a time of day may follow the repetition: "every day tomorrow" is no time. */
function firstAt(clock: string, rrule: string, { now, timezone }: WhenContext): number | null {
  const today = zonedAt(now, timezone).toPlainDate();
  const words = readDateWords(clock, today);
  if (words?.named !== 'not' || words.time === null || words.offsetMinutes !== null) return null;
  // The rule is looked at from yesterday, so that today's own time can be the first.
  const start = today.subtract({ days: 1 }).toZonedDateTime({ timeZone: timezone, plainTime: words.time });
  const series = { first_at: start.epochMilliseconds, interval_minutes: null, rrule, timezone, times: -1 };
  return nextOccurrence(series, now);
}

/**
 * Understands a time that may repeat: `every Monday 9am`, `every other friday at 17:00`, `every weekday 8:30`, `daily 9am`,
 * `每周一上午九点`, `每月15号10点`, and all that `parseWhen` reads. The first time is the next one from now.
 */
export function parseRepeatableWhen(text: string, context: WhenContext): RepeatableWhen | { error: string } {
  if (text.length > SPACED_CHARS_MAX) return unreadableWhen(text.trim().slice(0, WHEN_CHARS_MAX), context.language);
  const words = text.normalize('NFKC').trim().replace(/\s+/g, ' ');
  const groups = words.length > WHEN_CHARS_MAX ? undefined : (ENGLISH.exec(words) ?? CHINESE.exec(words))?.groups;
  if (!groups) {
    const when = parseWhen(text, context);
    return 'error' in when ? when : { ...when, rrule: null };
  }
  const rrule = ruleFrom(groups);
  const at = rrule && firstAt(groups['clock'] ?? groups['daily'] ?? '', rrule, context);
  if (!rrule || at === null || at === '') return unreadableWhen(text.trim(), context.language);
  return {
    at,
    hasTime: true,
    rrule: groups['other'] || groups['others'] ? rrule.replace(/^FREQ=\w+/, '$&;INTERVAL=2') : rrule,
  };
}
