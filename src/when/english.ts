import type { Temporal } from 'temporal-polyfill';
import {
  type Clock,
  comingDay,
  comingWeekday,
  dated,
  dayFrom,
  type PartOfDay,
  repeats,
  type Said,
  type TimeRule,
  weekdayIn,
} from './said.ts';

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const N = `(?:\\d{1,5}|an?|${NUMBERS.slice(1).join('|')})`;
const UNITS = '(?:minutes?|hours?|days?|weeks?|months?|years?)';
const SPAN = `(?:half an|${N})[ -]?(?:hours?|hrs?|h)\\b(?: (?:and )?${N} ?(?:minutes?|mins?|m)\\b)?|${N}[ -]?(?:minutes?|mins?)\\b`;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Short names that are words as well are read only before an hour, and where days are listed. */
const WEEKDAY =
  "(?:mon|tues?|thu|fri|(?:sun|sat|wed)(?=,| at\\b| from\\b| [\\d\u4e00-\u9fff])|(?<=on )(?:sun|sat|wed)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\\b(?!'s)";
const ANY_WEEKDAY = `(?:${WEEKDAYS.join('|')}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)`;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const PART = '(?:morning|afternoon|evening|night)';
const ORDINAL = '(?:st|nd|rd|th)';
const ON = '(?:(?:on|by|due|at) )?';

/** From an hour to another one: how long something lasts is said as a duration. */
const RANGE = [
  '(?:from|between) \\d{1,2}\\S{0,5}(?: [ap]m)? (?:to|and|until) \\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]\\.?m\\b)?',
  '(?:at )?\\d{1,2}(?::\\d\\d)?(?: ?[ap]\\.?m\\.?)? ?(?:-|–|to|until|到|至) ?\\d{1,2}(?::\\d\\d)?(?: ?[ap]\\.?m\\b|(?<=:\\d\\d))',
  '(?:at )?\\d{1,2}(?::\\d\\d| ?[ap]\\.?m\\.?) ?(?:-|–|to|until|到|至) ?\\d{1,2}\\b',
].join('|');
/** A distance from another time than now. */
const ELSEWHERE = `(?:in )?(?:${N}|half an|a few|few|some|several|a couple of|\\d+\\.\\d) ${UNITS} (?:before(?:hand)?|after|ago|earlier|later|ahead|in advance|from (?:now|today|tomorrow))\\b`;
/** Words that name a time, and are not read: what they mean is asked for. */
const UNREAD = [
  `(?:every|each) (?:\\w+ )?(?:${ANY_WEEKDAY}|${UNITS})|weekly|monthly|yearly|(?:on )?${ANY_WEEKDAY}s`,
  `in (?:a few|few|some|several|a couple of|\\d+\\.\\d) ${UNITS}|fortnight|(?:the )?weekend`,
  `(?:next|this|last|coming) (?:week|month|year|quarter|weekend|${WEEKDAY})\\b(?!')`,
  `(?:today|tonight|tomorrow|yesterday|${WEEKDAY})\\b(?!')`,
  `(?:in|by|until) ${MONTH}\\b|${MONTH}\\.? \\d{1,2}(?!\\d)|\\d{1,2}${ORDINAL}? (?:of )?${MONTH}\\b`,
  `(?:at )?\\d{1,2}:\\d{2}|\\d{1,2} ?[ap]\\.?m\\b|at ${NUMBERS.slice(1).join('\\b|at ')}\\b|(?:at )?midnight|at \\d{4}\\b|(?:(?:on|by) )?the \\d{1,2}${ORDINAL}\\b`,
  '(?:half|quarter|five|ten|twenty) (?:past|to) (?:\\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)',
  '(?<![./-])(?:\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?|\\d{1,2}[.-]\\d{1,2}[.-]\\d{2,4})(?![\\w%])|(?:utc|gmt|[ecmp][sd]t|cet)\\b',
  "christmas|xmas|new year'?s? (?:eve|day)|halloween|valentine'?s day|boxing day|easter|thanksgiving|(?:mother|father)'s day",
].join('|');

const numberOf = (words: string): number => {
  const text = words.toLowerCase();
  if (text.startsWith('half')) return 0.5;
  return /^an?$/.test(text) ? 1 : NUMBERS.includes(text) ? NUMBERS.indexOf(text) : Number(text);
};

const weekdayOf = (name: string): number => WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

const minutesOf = (span: string): number => {
  const amountOf = (units: string): number => {
    const amount = new RegExp(`(half an|${N})[ -]?(?:${units})\\b`, 'i').exec(span)?.[1];
    return amount === undefined ? 0 : numberOf(amount);
  };
  return Math.round(amountOf('hours?|hrs?|h') * 60 + amountOf('minutes?|mins?|m'));
};

const clockOf = (h: string, m: string | undefined, ap: string | undefined): Clock => {
  const isLate = ap?.toLowerCase() === 'p';
  const hour = ap === undefined ? numberOf(h) : Number(h) > 12 ? Number.NaN : (Number(h) % 12) + (isLate ? 12 : 0);
  const isSure = ap !== undefined || /^0\d/.test(h);
  return { hour, minute: Number(m ?? 0), isSure, isDigital: m !== undefined && ap === undefined };
};

const dateOf = ({ d, month, y }: Record<string, string | undefined>, today: Temporal.PlainDate): Said => {
  const named = MONTHS.indexOf(month!.slice(0, 3).toLowerCase()) + 1;
  const year = y === undefined ? today.year : Number(y);
  return dated({ year, month: named, day: Number(d) }, y === undefined ? 'without_year' : 'fully');
};

const repetition = ({ other, unit, days, date }: Record<string, string | undefined>): Said => {
  const isAlternate = other !== undefined;
  if (date !== undefined) return repeats({ date: Number(date) }, isAlternate);
  if (days !== undefined) return repeats({ days: days.split(/[, ]+(?:and )?/i).map(weekdayOf) }, isAlternate);
  if (/^weekday/i.test(unit ?? '')) return repeats({ days: [1, 2, 3, 4, 5] }, isAlternate);
  return { ...repeats({}, isAlternate), ...(/^day|^$/i.test(unit ?? '') ? {} : partOf(unit!)) };
};

const partOf = (word: string): Said => ({ part: word.toLowerCase() as PartOfDay });

const rule = (pattern: string, read: TimeRule['read']): TimeRule => ({
  pattern: new RegExp(`(?<![\\w#])(?:${pattern})`, 'gi'),
  read,
});

/** How times are said in English; the longer expressions first. Last what names a time and is not read. */
export const englishTimes: TimeRule[] = [
  rule(`${ELSEWHERE}|${RANGE}`, () => ({})),
  rule(`(?:every|each) (?<other>other )?month on (?:the |day )?(?<date>\\d{1,2})${ORDINAL}?|daily\\b`, repetition),
  rule(
    `(?:every|each) (?<other>other )?(?:(?<unit>day|weekday|${PART})\\b|(?<days>${ANY_WEEKDAY}\\b(?:(?:, and|,| and) ?${ANY_WEEKDAY}\\b){0,6}))`,
    repetition,
  ),
  rule(`in (?<span>${SPAN})`, ({ span }) => ({ seconds: minutesOf(span!) * 60 })),
  rule(`in (?<n>${N}) seconds?\\b`, ({ n }) => ({ seconds: numberOf(n!) })),
  rule(`in (?<n>${N}) (?<unit>day|week|month)s?\\b`, ({ n, unit }, today) => ({
    day: { date: today.add({ [`${unit!.toLowerCase()}s`]: numberOf(n!) }), named: 'fully' },
  })),
  rule('(?:right |just )?(?<!from )now\\b', () => ({ seconds: 0 })),
  rule(`(?:(?:for|lasting) )?(?<span>${SPAN})(?:[ -]long\\b)?`, ({ span }) => ({
    minutes: minutesOf(span!),
  })),
  rule(
    `${ON}(?:the )?(?<d>\\d{1,2})${ORDINAL}? (?:of )?(?<month>${MONTH})\\b(?:,? (?<y>\\d{4})\\b|(?! \\d{1,2}(?:,|$)))`,
    dateOf,
  ),
  rule(`${ON}(?<month>${MONTH})\\.? (?<d>\\d{1,2})${ORDINAL}?(?![\\w:分点月-])(?:,? (?<y>\\d{4})\\b)?`, dateOf),
  rule(`${ON}the (?<d>\\d{1,2})${ORDINAL}(?=$|[,.;!?]| (?:at|from|by|noon)\\b| \\d)`, ({ d }, today) =>
    comingDay(today, Number(d)),
  ),
  rule(`${ON}next (?<day>${WEEKDAY})`, ({ day }, today) => weekdayIn(today, 1, weekdayOf(day!))),
  rule(`${ON}(?<![\\w#])(?<!(?:last|this|coming|past) )(?<day>${WEEKDAY})`, ({ day }, today) =>
    comingWeekday(today, weekdayOf(day!)),
  ),
  rule("(?:the )?day after tomorrow\\b|(?<name>today|tomorrow|yesterday)\\b(?!'s)", ({ name }, today) =>
    dayFrom(today, { today: 0, tomorrow: 1, yesterday: -1 }[name?.toLowerCase() ?? ''] ?? 2),
  ),
  rule('tonight\\b', (_, today) => ({ ...dayFrom(today, 0), part: 'evening' })),
  rule(`this (?<part>morning|afternoon|evening)\\b`, ({ part }, today) => ({ ...dayFrom(today, 0), ...partOf(part!) })),
  rule(`${ON}(?<h>\\d{1,2})(?:[:.](?<m>[0-5]\\d))? ?(?<ap>[ap])\\.?m\\b\\.?`, ({ h, m, ap }) => ({
    clock: clockOf(h!, m, ap),
  })),
  rule(`${ON}(?<h>\\d{1,2}):(?<m>[0-5]\\d)(?![\\d:])`, ({ h, m }) => ({ clock: clockOf(h!, m, undefined) })),
  rule("(?:at|by|@) ?(?<h>\\d{1,2})(?: o'clock)?(?![\\w:/%-]|\\.\\d)|(?<o>\\d{1,2}) o'clock\\b", ({ h, o }) => ({
    clock: clockOf((h ?? o)!, undefined, undefined),
  })),
  rule('(?:at )?noon\\b', () => ({ clock: { hour: 12, minute: 0, isSure: true, isDigital: false } })),
  rule(`in the (?<part>morning|afternoon|evening)\\b`, ({ part }) => partOf(part!)),
  rule(`at night\\b|(?<=\\0 )(?<part>${PART})\\b`, ({ part }) => partOf(part ?? 'night')),
];

/** Expressions that are looked for once all others are found. */
export const unreadEnglish = rule(`(?:${UNREAD})`, () => ({}));

/** Texts that answer a question for a time and are none of the expressions above. */
export const englishAnswers: TimeRule[] = [
  rule('(?<h>\\d{1,2})(?![\\w:/.-])', ({ h }) => ({ clock: clockOf(h!, undefined, undefined) })),
  rule(`(?:the )?(?<part>${PART})\\b`, ({ part }) => partOf(part!)),
  rule('(?<ap>[ap])\\.?m\\b\\.?', ({ ap }) => partOf(ap!.toLowerCase() === 'a' ? 'morning' : 'afternoon')),
];
