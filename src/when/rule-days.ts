/** Monday first, as weeks are counted. */
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const DAY_MS = 86_400_000;

/** The first of `first`, `first + interval`, … that is not before `from`. */
const aligned = (first: number, interval: number, from: number): number =>
  first + Math.max(0, Math.ceil((from - first) / interval)) * interval;

/** Days are counted from 1970-01-01, a Thursday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);

const monthOf = (day: number): number => {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** The day of that number in a month; null where the month is shorter. */
const dayIn = (month: number, number: number): number | null => {
  const date = new Date(Date.UTC(Math.floor(month / 12), month % 12, number));
  return date.getUTCMonth() === month % 12 ? date.getTime() / DAY_MS : null;
};

/**
 * The days of a rule from a day on, in order and without end, both days and the first one counted from 1970-01-01. Reads the rules that are made of
 * words: `FREQ=DAILY`, `FREQ=WEEKLY;BYDAY=MO,…` and `FREQ=MONTHLY;BYMONTHDAY=15`, each with an INTERVAL or none (RFC 5545). What comes
 * at a given time is computed and not counted from the first day.
 */
export function* ruleDays(rrule: string, first: number, from: number): Generator<number, never> {
  const parts = new Map(rrule.split(';').map((part) => part.split('=') as [string, string]));
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const start = Math.max(first, from);
  const [byDay, byMonthDay] = [parts.get('BYDAY')?.split(','), Number(parts.get('BYMONTHDAY'))];
  if (byDay !== undefined) {
    const inWeek = WEEKDAYS.flatMap((name, index) => (byDay.includes(name) ? [index - 3] : []));
    for (let week = aligned(weekOf(first), interval, weekOf(start)); ; week += interval)
      for (const offset of inWeek) if (week * 7 + offset >= start) yield week * 7 + offset;
  }
  if (byMonthDay > 0)
    for (let month = aligned(monthOf(first), interval, monthOf(start)); ; month += interval) {
      const day = dayIn(month, byMonthDay);
      if (day !== null && day >= start) yield day;
    }
  for (let day = aligned(first, interval, start); ; day += interval) yield day;
}
