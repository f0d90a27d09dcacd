import {
  comingDay,
  dayFrom,
  dayIn,
  type PartOfDay,
  repeats,
  type Said,
  type TimeRule,
  timeRule,
  weekdayIn,
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
/** Days whose date differs each year, and periods. */
const VAGUE = [
  `(?:every|each) (?:\\w+ )?(?:hours?|minutes?|days?|weeks?|months?|years?)`,
  '(?:until|till?) (?:19|20)\\d\\d\\b(?!:)',
  `(?:weekly|monthly|yearly)(?=$|[,.]| (?:at|on|from) )`,
  `(?:${N}|a few|few|several|a couple of|couple of) (?:minutes?|hours?|days?|weeks?|months?|years?) (?:before(?:hand)?|after|ago|earlier|later)\\b`,
  `(?:in )?${N} (?:days?|weeks?|months?|years?) (?:from|after) (?:today|tomorrow)\\b|(?:today|tomorrow|${WEEKDAY}) week\\b`,
  `(?:in )?${N} weeks? (?:(?:from|after|on) (?:next |this )?)${WEEKDAY}|(?:on )?${WEEKDAY} in ${N} weeks?\\b`,
  `(?:the )?(?:first|second|third|fourth|last|\\d(?:st|nd|rd|th)) ${WEEKDAY} (?:of|in) (?:the |next |this )?\\w+`,
  `(?:the )?(?:beginning|start|middle|end) of (?:the |next |this )?(?:day|week|month|year|quarter|\\w+)`,
  `(?:next|this|last|coming|past|following) (?:week|month|year|quarter|weekend|summer|winter|spring|autumn)\\b(?!')`,
  "(?:(?:on|over) )?(?:the )?weekend\\b|fortnight|easter\\b|thanksgiving|(?:mother|father)'s day|(?:chinese|lunar) new year",
  `(?:in )?(?:a few|few|several|a couple of|couple of|some) (?:days|weeks|months|years|hours|minutes)\\b|(?:in )?\\d+\\.\\d (?:days|weeks|months|years)\\b`,
].join('|');

/** Parses `15`, `2.5`, `three`, `a` or `half an`. */
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

const repetition = ({ other, unit = '', days, date, part }: Record<string, string | undefined>): Said => {
  const isAlternate = other !== undefined;
  if (date !== undefined) return repeats({ date: Number(date) }, isAlternate);
  if (days !== undefined) {
    const inWeek = days.split(/[, ]+(?:and )?/i).map(weekdayOf);
    return { ...repeats({ days: inWeek }, isAlternate), ...(part !== undefined && partOf(part)) };
  }
  if (/^(?:week|work)day/i.test(unit)) return repeats({ days: [1, 2, 3, 4, 5] }, isAlternate);
  if (/^weekend/i.test(unit)) return repeats({ days: [6, 7] }, isAlternate);
  return { ...repeats({}, isAlternate), ...(/^day|^$/i.test(unit) ? {} : partOf(unit)) };
};

const partOf = (word: string): Said => ({ part: word.toLowerCase() as PartOfDay });

/** A bare hour, which may be in either half of the day. */
const bareHour = ({ h, m }: Record<string, string | undefined>): Said => ({
  clock: { hour: numberOf(h!), minute: m === undefined ? 0 : numberOf(m), isSure: false },
});

const sureHour = (hour: number, minute = 0): Said => ({ clock: { hour, minute, isSure: true } });

const rule = (pattern: string, read: TimeRule['read']): TimeRule => timeRule(`(?<![\\w#])(?:${pattern})`, 'gi', read);

const DAY_LIST = `(?<days>${WEEKDAY}s?\\b(?:(?:, and|,| and) ?${WEEKDAY}s?\\b){0,6})`;

/** Expressions for times in English that chrono does not read, or reads wrongly; longer ones first. */
export const englishTimes: TimeRule[] = [
  rule(
    `(?:every|each) (?<other>other |second )?(?:month on (?:the )?(?<date>\\d{1,2})(?:st|nd|rd|th)?|(?<unit>day|weekday|workday|weekend|${PART})|${DAY_LIST}(?: (?<part>${PART}))?)(?!\\w)`,
    repetition,
  ),
  rule(`(?:weekly|(?:every|each) (?:(?<other>other|second|two|2) )?weeks?) (?:on )?${DAY_LIST}`, repetition),
  rule(`(?:on )?the (?<date>\\d{1,2})(?:st|nd|rd|th) of (?:every|each) month\\b|daily\\b`, repetition),
  rule(`(?:on )?(?<days>${LONG_WEEKDAY}s)\\b`, repetition),
  rule(
    '(?:on |by )?(?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<m>next|this) month\\b|(?<m>next|this) month (?:on )?(?:the )?(?<d>\\d{1,2})(?:st|nd|rd|th)?\\b',
    ({ d, m }, today) => dayIn(today.toPlainYearMonth().add({ months: /next/i.test(m!) ? 1 : 0 }), Number(d), 'fully'),
  ),
  rule(`next week (?:on )?(?<day>${WEEKDAY})\\b|(?:on )?(?<day>${WEEKDAY}) (?:of )?next week\\b`, ({ day }, today) =>
    weekdayIn(today, 1, weekdayOf(day!)),
  ),
  rule(VAGUE, () => ({})),
  rule(`in (?<span>${SPAN})|(?<span>${SPAN}) from now\\b`, ({ span }) => ({ seconds: minutesOf(span!) * 60 })),
  rule(`in (?<n>${N}) ?(?:seconds?|secs?)\\b|(?<n>${N}) (?:seconds?|secs?) from now\\b`, ({ n }) => ({
    seconds: numberOf(n!),
  })),
  rule('(?:right |just )?(?<!from )now\\b', () => ({ seconds: 0 })),
  rule(`(?:(?:for|lasting|about|by) ){0,2}(?<span>${SPAN})(?:[ -]long\\b)?`, ({ span }) => ({
    minutes: minutesOf(span!),
  })),
  rule(
    `(?:on|by|due) the (?<d>\\d{1,2})(?:st|nd|rd|th)\\b(?! of)|the (?<d>\\d{1,2})(?:st|nd|rd|th)${ENDS}`,
    ({ d }, today) => comingDay(today, Number(d)),
  ),
  rule('(?:the )?day after tomorrow\\b', (_, today) => dayFrom(today, 2)),
  rule('tonight\\b', (_, today) => ({ ...dayFrom(today, 0), part: 'evening' })),
  rule(`this (?<part>morning|afternoon|evening)\\b`, ({ part }, today) => ({ ...dayFrom(today, 0), ...partOf(part!) })),
  rule(
    `(?<!from |between )(?:at )?(?<past>half|a quarter|quarter|\\d{1,2} minutes?|five|ten|twenty) (?<side>past|to) (?<h>${HOUR})(?![:.]?\\d)(?: ?(?<ap>[ap])\\.?m\\b\\.?|(?!\\w))`,
    ({ past, side, h, ap }) => {
      const words = past!.toLowerCase().replace(/^a | minutes?$/g, '');
      const minutes = { half: 30, quarter: 15 }[words] ?? numberOf(words);
      const at = numberOf(h!) * 60 + (side!.toLowerCase() === 'past' ? minutes : -minutes);
      const hour = Math.floor(at / 60) + (ap?.toLowerCase() === 'p' && at < 720 ? 12 : 0);
      return { clock: { hour, minute: at % 60, isSure: ap !== undefined } };
    },
  ),
  rule('at (?<h>[01]\\d|2[0-3])(?<m>[0-5]\\d)(?![\\w:])', ({ h, m }) => sureHour(Number(h), Number(m))),
  rule(`at (?<h>${NUMBERS.slice(1).join('|')})(?: (?<m>fifteen|thirty|forty-five))?\\b(?! ?[ap]\\.?m\\b)`, bareHour),
  // A bare number after a day, or after a word that no number of things follows.
  rule(`(?<=\\b(?:tomorrow|today|${LONG_WEEKDAY}) )(?<h>\\d{1,2})(?=$|[,.;!?])`, bareHour),
  rule(
    `(?:by|until|around|@ ?) ?(?<h>\\d{1,2})(?=$|[,;!?]|\\.(?!\\d)| (?:on|today|tomorrow|this|next|${WEEKDAY})\\b)`,
    bareHour,
  ),
  rule('(?:at )?(?:12 )?(?:noon|midday)\\b', () => sureHour(12)),
  rule('(?:at )?(?:12 )?midnight\\b', () => sureHour(24)),
  rule(
    `(?:in|during) (?:the )?(?:early |late )?(?<part>morning|afternoon|evening)\\b|at (?<part>night)\\b|(?<=day |tomorrow )(?<part>${PART})\\b|(?<=[\\d\\0] )(?<part>${PART})(?= at \\d)`,
    ({ part }) => partOf(part!),
  ),
];

/** Texts that answer a question for a time and are not among the expressions above. */
export const englishAnswers: TimeRule[] = [
  rule('(?<h>\\d{1,2})(?![\\w:/.-])', bareHour),
  rule(`(?:the )?(?<part>${PART})\\b`, ({ part }) => partOf(part!)),
  rule('(?<ap>[ap])\\.?m\\b\\.?', ({ ap }) => partOf(ap!.toLowerCase() === 'a' ? 'morning' : 'afternoon')),
];
