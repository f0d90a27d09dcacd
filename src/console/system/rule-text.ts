import { locale } from '../text/numbers.ts';
import { texts } from './texts.ts';

/** The days of a rule, from Sunday on. */
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The name of a day of the week, from 0 for Sunday: 4 January 2026 is one. */
const dayName = (day: number): string =>
  new Intl.DateTimeFormat(locale.value, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 4 + day));

/** A rule of repetition in words, where it is one that people say; any other as it is written. */
export const ruleText = (rule: string): string => {
  if (rule === 'FREQ=DAILY') return texts.value.everyDay;
  const [, named = ''] = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(rule) ?? [];
  const days = named.split(',').map((name) => DAYS.indexOf(name));
  if (days.includes(-1)) return rule;
  return texts.value.everyWeek(new Intl.ListFormat(locale.value).format(days.map(dayName)));
};
