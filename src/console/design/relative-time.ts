const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From how long on a date is clearer than a number of days. */
const DATE_FROM = 30 * DAY;

/** Says how long ago `at` is, both in epoch milliseconds, in a locale; null: less than a few seconds. */
export const relativeTime = (at: number, now: number, locale: string): string | null => {
  const ago = Math.max(0, now - at);
  if (ago < 5 * SECOND) return null;
  if (ago >= DATE_FROM) return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'narrow' });
  if (ago < MINUTE) return format.format(-Math.floor(ago / SECOND), 'second');
  if (ago < HOUR) return format.format(-Math.floor(ago / MINUTE), 'minute');
  if (ago < DAY) return format.format(-Math.floor(ago / HOUR), 'hour');
  return format.format(-Math.floor(ago / DAY), 'day');
};
