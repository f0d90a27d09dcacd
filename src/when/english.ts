import {
  comingDay,
  daily,
  dayIn,
  monthly,
  type PartOfDay,
  type Said,
  type TimeRule,
  weekdayIn,
  weekly,
  yearly,
} from './said.ts';

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS: Record<string, number> = { fifteen: 15, twenty: 20, thirty: 30, forty: 40, 'forty-five': 45, ninety: 90 };
const N = `(?:\\d{1,5}(?:\\.\\d)?|half an?|an?|${[...NUMBERS.slice(1), ...Object.keys(TENS).reverse()].join('|')})`;
const HOUR = `(?:\\d{1,2}|${NUMBERS.slice(1).join('|')})`;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?';
const LONG_WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const SPAN = `${N}[ -]?(?:hours?|hrs?|h)\\b(?: and a half\\b| (?:and )?${N} ?(?:minutes?|mins?|m)\\b)?|${N} and a half hours?\\b|${N}[ -]?(?:minutes?|mins?)\\b`;
const PART = '(?:morning|afternoon|evening|night)';
const ENDS = '(?=$|[,.;!?:]| (?:at|from|by|on|in|to|for|noon|midnight|this|next|between|\\d))';
const HOLIDAYS: [name: string, month: number, day: number][] = [
  ['halloween', 10, 31],
  ['christmas eve', 12, 24],
  ["new year'?s eve", 12, 31],
  ["new year'?s day", 1, 1],
  ["valentine'?s day", 2, 14],
  ['(?:christmas|xmas)(?: day)?', 12, 25],
  ['boxing day', 12, 26],
];
const HOLIDAY = HOLIDAYS.map(([name]) => name).join('|');
/** Days whose date is another one each year, and stretches of time. */
const VAGUE = [
  `(?:every|each) (?:\\w+ )?(?:hours?|minutes?|days?|weeks?|months?|years?)`,
  `(?:weekly|monthly|yearly)(?=$|[,.]| (?:at|on|from) )`,
  `(?:${N}|a few|few|several|a couple of|couple of) (?:minutes?|hours?|days?|weeks?|months?|years?) (?:before(?:hand)?|after|ago|earlier|later)\\b`,
  `(?:in )?${N} weeks? (?:(?:from|after|on) (?:next |this )?)${WEEKDAY}|(?:on )?${WEEKDAY} in ${N} weeks?\\b`,
  `(?:the )?(?:first|second|third|fourth|last|\\d(?:st|nd|rd|th)) ${WEEKDAY} (?:of|in) (?:the |next |this )?\\w+`,
  `(?:the )?(?:beginning|start|middle|end) of (?:the |next |this )?(?:day|week|month|year|quarter|\\w+)`,
  `(?:next|this|last|coming|past|following) (?:week|month|year|quarter|weekend|summer|winter|spring|autumn)\\b(?!')`,
  "(?:(?:on|over) )?(?:the )?weekend\\b|fortnight|easter\\b|thanksgiving|(?:mother|father)'s day|(?:chinese|lunar) new year",
  `(?:in )?(?:a few|few|several|a couple of|couple of|some|\\d+\\.\\d) (?:days|weeks|months|years|hours|minutes)\\b`,
].join('|');

/** Reads `15`, `2.5`, `three`, `a` or `half an`. */
const numberOf = (words: string): number => {
  const text = words.toLowerCase();
  if (text.startsWith('half')) return 0.5;
  return /^an?$/.test(text) ? 1 : (TENS[text] ?? (NUMBERS.includes(text) ? NUMBERS.indexOf(text) : Number(text)));
};

const weekdayOf = (name: string): number => WEEKDAYS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

const minutesOf = (span: string): number => {
  const amountOf = (units: string): number => {
    const amount = new RegExp(`(${N})(?: and a half)?[ -]?(?:${units})\\b`, 'i').exec(span)?.[1];
    return amount === undefined ? 0 : numberOf(amount);
  };
  const hours = amountOf('hours?|hrs?|h') + (/and a half/i.test(span) ? 0.5 : 0);
  return Math.round(hours * 60 + amountOf('minutes?|mins?|m'));
};

const repetition = (groups: Record<string, string | undefined>): Said => {
  const every = groups['other'] === undefined ? 1 : 2;
  const { unit = '', days } = groups;
  if (groups['date'] !== undefined) return monthly(Number(groups['date']), every);
  if (days !== undefined) return { rule: weekly(days.split(/[, ]+(?:and )?/i).map(weekdayOf), every) };
  if (/^week(?:day)|^workday/i.test(unit)) return { rule: weekly([1, 2, 3, 4, 5], every) };
  if (/^weekend/i.test(unit)) return { rule: weekly([6, 7], every) };
  return {
    rule: daily(every),
    ...(new RegExp(`^${PART}$`, 'i').test(unit) && { part: unit.toLowerCase() as PartOfDay }),
  };
};

const rule = (pattern: string, read: TimeRule['read']): TimeRule => ({
  pattern: new RegExp(`(?<![\\w#])(?:${pattern})`, 'gi'),
  read,
});

const DAY_LIST = `(?<days>${WEEKDAY}s?\\b(?:(?:, and|,| and) ?${WEEKDAY}s?\\b){0,6})`;

/** How times are said in English that chrono does not read, or not rightly; the longer expressions first. */
export const englishTimes: TimeRule[] = [
  rule(
    `(?:every|each) (?<other>other |second )?(?:month on (?:the )?(?<date>\\d{1,2})(?:st|nd|rd|th)?|(?<unit>day|weekday|workday|weekend|${PART})|${DAY_LIST})(?!\\w)`,
    repetition,
  ),
  rule(`(?:weekly|(?:every|each) (?:(?<other>other|second|two|2) )?weeks?) (?:on )?${DAY_LIST}`, repetition),
  rule(`(?:on )?the (?<date>\\d{1,2})(?:st|nd|rd|th) of (?:every|each) month\\b|daily\\b`, repetition),
  rule(`(?:on )?(?<days>${LONG_WEEKDAY}s)\\b`, repetition),
  rule('(?:on |by )?(?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<m>next|this) month\\b', ({ d, m }, today) =>
    dayIn(today.toPlainYearMonth().add({ months: /next/i.test(m!) ? 1 : 0 }), Number(d), 'fully'),
  ),
  rule('(?<m>next|this) month (?:on )?(?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th)?\\b', ({ d, m }, today) =>
    dayIn(today.toPlainYearMonth().add({ months: /next/i.test(m!) ? 1 : 0 }), Number(d), 'fully'),
  ),
  rule(`next week (?:on )?(?<a>${WEEKDAY})\\b|(?:on )?(?<b>${WEEKDAY}) (?:of )?next week\\b`, ({ a, b }, today) =>
    weekdayIn(today, 1, weekdayOf(a ?? b!)),
  ),
  rule(VAGUE, () => ({})),
  rule(`in (?<a>${SPAN})|(?<b>${SPAN}) from now\\b`, ({ a, b }) => ({ seconds: minutesOf(a ?? b!) * 60 })),
  rule('(?:right |just )?now\\b', () => ({ seconds: 0 })),
  rule(`(?:(?:for|lasting|about|by) ){0,2}(?<span>${SPAN})(?:[ -]long\\b)?`, ({ span }) => ({
    minutes: minutesOf(span!),
  })),
  rule(
    `(?:on|by|due) the (?<a>\\d{1,2})(?:st|nd|rd|th)\\b(?! of)|the (?<b>\\d{1,2})(?:st|nd|rd|th)${ENDS}`,
    ({ a, b }, today) => comingDay(today, Number(a ?? b)),
  ),
  rule(
    `(?:on |at |by )(?<a>${HOLIDAY})(?!\\w)(?: (?<y>\\d{4})\\b)?|(?<b>${HOLIDAY})(?: (?<z>\\d{4})\\b)?${ENDS}`,
    (groups, today) => {
      const name = groups['a'] ?? groups['b']!;
      const [, month, day] = HOLIDAYS.find(([known]) => new RegExp(`^${known}$`, 'i').test(name))!;
      const year = groups['y'] ?? groups['z'];
      return yearly(today, month, day, year === undefined ? null : Number(year));
    },
  ),
  rule('(?:the )?day after tomorrow\\b', (_, today) => ({ day: { date: today.add({ days: 2 }), named: 'fully' } })),
  rule('tmrw?\\b', (_, today) => ({ day: { date: today.add({ days: 1 }), named: 'fully' } })),
  rule('tonight\\b', (_, today) => ({ day: { date: today, named: 'fully' }, part: 'evening' })),
  rule(`this (?<part>morning|afternoon|evening)\\b`, ({ part }, today) => ({
    day: { date: today, named: 'fully' },
    part: part!.toLowerCase() as PartOfDay,
  })),
  rule(
    `(?<!from |between )(?:at )?(?<past>half|a quarter|quarter|\\d{1,2} minutes?|five|ten|twenty) (?<side>past|to) (?<h>${HOUR})\\b(?![:.]\\d)(?: ?(?<ap>[ap])\\.?m\\b\\.?)?`,
    ({ past, side, h, ap }) => {
      const words = past!.toLowerCase().replace(/^a | minutes?$/g, '');
      const minutes = words === 'half' ? 30 : words === 'quarter' ? 15 : numberOf(words);
      const at = numberOf(h!) * 60 + (side!.toLowerCase() === 'past' ? minutes : -minutes);
      const hour = Math.floor(at / 60) + (ap?.toLowerCase() === 'p' && at < 720 ? 12 : 0);
      return { clock: { hour, minute: at % 60, isSure: ap !== undefined } };
    },
  ),
  rule('at (?<h>[01]\\d|2[0-3])(?<m>[0-5]\\d)(?![\\w:])', ({ h, m }) => ({
    clock: { hour: Number(h), minute: Number(m), isSure: true },
  })),
  rule(
    `at (?<h>${NUMBERS.slice(1).join('|')})(?: (?<m>fifteen|thirty|forty-five))?\\b(?! ?[ap]\\.?m\\b)`,
    ({ h, m }) => ({
      clock: { hour: numberOf(h!), minute: m === undefined ? 0 : numberOf(m), isSure: false },
    }),
  ),
  // A bare number behind a day, or behind a word that no number of things follows.
  rule(`(?<=\\b(?:tomorrow|today|${LONG_WEEKDAY}) )(?<h>\\d{1,2})(?=$|[,.;!?])`, ({ h }) => ({
    clock: { hour: Number(h), minute: 0, isSure: false },
  })),
  rule(
    `(?:by|until|around|@ ?) ?(?<h>\\d{1,2})(?=$|[,;!?]|\\.(?!\\d)| (?:on|today|tomorrow|this|next|${WEEKDAY})\\b)`,
    ({ h }) => ({
      clock: { hour: Number(h), minute: 0, isSure: false },
    }),
  ),
  rule('(?:at )?(?:12 )?(?:noon|midday)\\b', () => ({ clock: { hour: 12, minute: 0, isSure: true } })),
  rule('(?:at )?(?:12 )?midnight\\b', () => ({ clock: { hour: 24, minute: 0, isSure: true } })),
  rule(
    `(?:in|during) (?:the )?(?:early |late )?(?<a>morning|afternoon|evening)\\b|at (?<b>night)\\b|(?<=day |tomorrow )(?<c>${PART})\\b`,
    ({ a, b, c }) => ({ part: (a ?? b ?? c)!.toLowerCase() as PartOfDay }),
  ),
];

/** What answers a question for a time and is none of the expressions above. */
export const englishAnswers: TimeRule[] = [
  rule('(?<h>\\d{1,2})(?![\\w:/.-])', ({ h }) => ({ clock: { hour: Number(h), minute: 0, isSure: false } })),
  rule(`(?:the )?(?<part>${PART})\\b`, ({ part }) => ({ part: part!.toLowerCase() as PartOfDay })),
  rule('(?<ap>[ap])\\.?m\\b\\.?', ({ ap }) => ({ part: ap!.toLowerCase() === 'a' ? 'morning' : 'afternoon' })),
];

/** A holiday's name wherever it stands. */
export const ENGLISH_HOLIDAY = new RegExp(`\\b(?:${HOLIDAY})(?!\\w)`, 'i');
