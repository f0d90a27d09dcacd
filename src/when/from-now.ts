import { CHINESE_DIGITS, readChineseNumber } from './chinese-number.ts';
import { readEnglishNumber } from './english-number.ts';

/** A distance from now. Calendar units keep the time of day; hours, minutes and seconds are exact. */
export interface FromNow {
  years: number;
  months: number;
  weeks: number;
  days: number;
  seconds: number;
}

/** Largest number in a distance: a week in minutes, and even as years far inside what a calendar can add. */
const AMOUNT_MAX = 10_080;

const SECONDS = { second: 1, minute: 60, quarter: 900, hour: 3_600 } as const;
const CALENDAR = { day: 'days', week: 'weeks', month: 'months', year: 'years' } as const;
type Unit = keyof typeof SECONDS | keyof typeof CALENDAR;

const chineseUnits: [RegExp, Unit][] = [
  [/^秒钟?/, 'second'],
  [/^刻钟/, 'quarter'],
  [/^分钟?/, 'minute'],
  [/^(?:小时|钟头)/, 'hour'],
  [/^[天日]/, 'day'],
  [/^(?:周|星期|礼拜)/, 'week'],
  [/^月/, 'month'],
  [/^年/, 'year'],
];
const englishUnits: [RegExp, Unit][] = [
  [/^(?:seconds?|secs?|s)$/, 'second'],
  [/^(?:minutes?|mins?|m)$/, 'minute'],
  [/^(?:hours?|hrs?|h)$/, 'hour'],
  [/^(?:days?|d)$/, 'day'],
  [/^(?:weeks?|w)$/, 'week'],
  [/^months?$/, 'month'],
  [/^years?$/, 'year'],
];

/** Adds up to a distance; null when a number is none, too large, or a fraction of a day or longer. */
function addUp(parts: { amount: number; unit: Unit }[]): FromNow | null {
  const sum: FromNow = { years: 0, months: 0, weeks: 0, days: 0, seconds: 0 };
  for (const { amount, unit } of parts) {
    if (!(amount >= 0 && amount <= AMOUNT_MAX)) return null;
    if (unit in SECONDS) sum.seconds += Math.round(amount * SECONDS[unit as keyof typeof SECONDS]);
    else if (Number.isInteger(amount)) sum[CALENDAR[unit as keyof typeof CALENDAR]] += amount;
    else return null;
  }
  return parts.length > 0 ? sum : null;
}

function readEnglish(text: string): FromNow | null {
  const body = /^in (.+)$/.exec(text)?.[1] ?? /^(.+) (?:from now|later)$/.exec(text)?.[1];
  if (body === undefined) return null;
  const parts: { amount: number; unit: Unit }[] = [];
  let rest = body.replace(/^(an?|\w+) (hours?|minutes?) and a half$/, (_, amount, unit) =>
    Number.isNaN(readEnglishNumber(amount)) ? '' : `${readEnglishNumber(amount) + 0.5} ${unit}`,
  );
  while (rest !== '') {
    const part = /^(half an?|\d+(?:\.\d+)?|[a-z]+(?=\s))\s*([a-z]+)(?:(?:\s*,)?(?:\s+and)?\s+|$)/.exec(rest);
    const unit = part && englishUnits.find(([pattern]) => pattern.test(part[2]!))?.[1];
    if (!unit) return null;
    parts.push({ amount: readEnglishNumber(part[1]!), unit });
    rest = rest.slice(part[0].length);
  }
  return addUp(parts);
}

const CHINESE_PART = new RegExp(`^(半|[${CHINESE_DIGITS}]+|\\d+(?:\\.\\d+)?)个?(半)?`);

function readChinese(text: string): FromNow | null {
  let rest = /^(.+?)(?:之后|以后|过后|后)$/.exec(text.replaceAll(' ', ''))?.[1];
  if (rest === undefined) return null;
  const parts: { amount: number; unit: Unit }[] = [];
  while (rest !== '') {
    const part = CHINESE_PART.exec(rest);
    if (!part) return null;
    rest = rest.slice(part[0].length);
    const [pattern, unit] = chineseUnits.find(([known]) => known.test(rest!)) ?? [];
    if (!pattern || !unit) return null;
    const amount = part[1] === '半' ? 0.5 : readChineseNumber(part[1]!);
    parts.push({ amount: amount + (part[2] ? 0.5 : 0), unit });
    rest = rest.replace(pattern, '');
  }
  return addUp(parts);
}

/**
 * Reads a whole text as a distance from now: `in 2 hours`, `an hour and a half from now`, `一个半小时后`, `now`. Null when it is
 * none. It is here because chrono misses the half ones and `两周后`, and counts hours on the process's clock.
 */
export function readFromNow(text: string): FromNow | null {
  const words = text.toLowerCase();
  if (/^(?:(?:right )?now|现在|马上|立刻|立即)$/.test(words)) return addUp([{ amount: 0, unit: 'second' }]);
  return readEnglish(words) ?? readChinese(words);
}
