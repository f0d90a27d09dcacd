import { ENGLISH_NUMBER, readEnglishNumber } from './english-number.ts';
import { WEEKDAY } from './english-words.ts';
import { holidayNames } from './holidays.ts';
import type { PartOfDay, SaidClock, TimeRule, TimeToken } from './time-token.ts';

const N = ENGLISH_NUMBER;
const PART = '(?:morning|afternoon|evening|night)';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
const FULL_MONTH = '(?:january|february|april|june|july|august|september|october|november|december)';
const YEAR = '(?:,? (?:\\d{4}(?![:\\d])|(?:of )?(?:next|this) year))?';
const DATE = '\\d{1,2}(?:st|nd|rd|th)?';
const WD = `(?:${WEEKDAY}\\b)`;
const UNIT = '(?:days?|weeks?|months?|years?)';
const SPAN = `(?:${N}[ -]?(?:and a half )?(?:hours?|hrs?|h)\\b(?: and a half| (?:and )?${N} ?(?:minutes?|mins?)\\b)?|${N}[ -]?(?:minutes?|mins?)\\b)`;
const HOLIDAY = `(?:${holidayNames('en')})`;
const HOUR = '(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const MEANS_DAY = '(?=$|[,.;!?]| (?:at|from|by|on|in|to|for|noon|midnight|this|next|between|\\d))';

const ORDINALS: Record<string, string> = { first: '1st', second: '2nd', third: '3rd' };

/** An hour, as groups with a number behind their names: `h1`, `m1`, `ap1`. */
const clock = (i: number): string =>
  `(?<h${i}>${HOUR})(?:[:.](?<m${i}>[0-5]\\d))?(?: ?o['’]?clock)?(?: ?(?<ap${i}>[ap])\\.?m\\b\\.?)?`;

const parts: Record<string, PartOfDay> = {
  morning: 'morning',
  afternoon: 'afternoon',
  evening: 'evening',
  night: 'night',
};
const partOf = (word: string | undefined): PartOfDay | null => (word === undefined ? null : parts[word.toLowerCase()]!);

const clockOf = (groups: Record<string, string | undefined>, i: number, isWhole = false): SaidClock => {
  const hour = groups[`h${i}`]!;
  const half = groups[`ap${i}`]?.toLowerCase();
  const isPadded = /^0\d$/.test(hour) && (isWhole || groups[`m${i}`] !== undefined);
  const part = half === undefined ? null : half === 'a' ? 'am' : 'pm';
  return { hour: readEnglishNumber(hour), minute: Number(groups[`m${i}`] ?? 0), part, isPadded };
};

const range = (groups: Record<string, string | undefined>): TimeToken => ({
  kind: 'clock',
  clock: clockOf(groups, 1),
  until: clockOf(groups, 2),
});

const single = (groups: Record<string, string | undefined>): TimeToken => ({
  kind: 'clock',
  clock: clockOf(groups, 1),
  until: null,
});

const minutesOf = (text: string): number => {
  const read = (pattern: RegExp): number => {
    const amount = pattern.exec(text)?.[1];
    return amount === undefined ? 0 : readEnglishNumber(amount);
  };
  const hours = read(new RegExp(`(${N})[ -]?(?:and a half )?(?:hours?|hrs?|h)\\b`, 'i'));
  const half = /and a half/i.test(text) ? 0.5 : 0;
  return Math.round((hours + half) * 60 + read(new RegExp(`(${N})[ -]?(?:minutes?|mins?)\\b`, 'i')));
};

const rule = (pattern: string, read: TimeRule['read']): TimeRule => ({
  pattern: new RegExp(`(?<![\\w#])(?:${pattern})`, 'gi'),
  read,
});

const day = (pattern: string, repeats = false): TimeRule =>
  rule(`(?<day>${pattern})(?: (?<part>${PART})\\b)?`, ({ day: words, part }) => ({
    kind: 'day',
    words: words!.replace(/^(?:on|at) /i, ''),
    repeats,
    part: partOf(part),
  }));

const vague = (pattern: string): TimeRule => rule(pattern, () => ({ kind: 'vague' }));

/** How times are said in English, the longer expressions first. */
export const englishTimes: TimeRule[] = [
  rule('\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}\\S{0,20}', (_, words) => ({ kind: 'instant', words })),
  rule(`(?:every|each) (?<part>${PART})\\b`, ({ part }) => ({
    kind: 'day',
    words: 'every day',
    repeats: true,
    part: partOf(part),
  })),
  day(
    `(?:every|each) (?:(?:other|second|two|2) )?(?:day|weekday|workday|weekend|month on (?:the )?${DATE}|(?:weeks? (?:on )?)?(?:${WD}|${WD}s)(?:(?:, and|,| and) ?(?:${WD}|${WD}s)){0,6})(?!\\w)|daily|weekly on ${WD}`,
    true,
  ),
  rule(`(?:on )?(?<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s\\b`, ({ day: words }) => ({
    kind: 'day',
    words: `every ${words}`,
    repeats: true,
    part: null,
  })),
  rule('(?:on )?the (?<n>\\d{1,2}(?:st|nd|rd|th)|first|second|third) of (?:every|each) month\\b', ({ n }) => ({
    kind: 'day',
    words: `every month on the ${ORDINALS[n!.toLowerCase()] ?? n}`,
    repeats: true,
    part: null,
  })),
  vague(
    `(?:every|each) (?:\\w+ )?(?:hours?|minutes?|days?|weeks?|months?|years?)(?: on ${WD})?|(?:weekly|monthly|yearly|annually)(?=$|[,.]| (?:at|on|from) )`,
  ),
  rule(`(?:${SPAN}|${N} ${UNIT}) (?:before(?:hand)?|after|ago)\\b`, () => ({ kind: 'vague' })),
  day(`(?:in )?${N} weeks? (?:from|after) (?:next |this )?${WD}`),
  day(`in ${N} weeks?(?:['’]? time)?,? (?:on )?(?:a )?${WD}|(?:on )?${WD} in ${N} weeks?(?:['’]? time)?\\b`),
  day(`next week (?:on )?${WD}|(?:on )?${WD} (?:of )?next week\\b`),
  rule(`(?:in )?(?<n>${N}) (?<unit>${UNIT}) from (?:now|today)\\b`, ({ n, unit }) => ({
    kind: 'day',
    words: `in ${n} ${unit}`,
    repeats: false,
    part: null,
  })),
  day(`in ${N} ${UNIT}\\b(?!['’])`),
  rule(`in ${SPAN}|${SPAN} from now\\b`, (_, words) => ({ kind: 'instant', words })),
  rule('(?:right |just )?now\\b', (_, words) => ({ kind: 'instant', words })),
  rule(`(?:by )?(?<span>${SPAN}) (?<to>later|earlier)\\b|by (?<by>${SPAN})`, ({ span, to, by }) => ({
    kind: 'shift',
    minutes: minutesOf(span ?? by ?? '') * (to?.toLowerCase() === 'earlier' ? -1 : 1),
  })),
  rule(`(?:(?:for|lasting|about) ){0,2}(?:${SPAN})(?:[ -]long\\b)?`, (_, text) => ({
    kind: 'duration',
    minutes: minutesOf(text),
  })),
  rule(`(?:for|lasting) (?<n>${N}) days?\\b`, ({ n }) => ({
    kind: 'duration',
    minutes: readEnglishNumber(n!) * 1_440,
  })),
  day(`(?:on )?(?:the )?${DATE} (?:of )?(?:next|this) month\\b|(?:next|this) month (?:on )?(?:the )?${DATE}\\b`),
  vague(
    `(?:the )?(?:first|second|third|fourth|last|\\d(?:st|nd|rd|th)) ${WD}(?: (?:of|in) (?:the |next |this )?\\w+)?`,
  ),
  vague(`(?:the )?(?:beginning|start|middle|end) of (?:the |next |this )?(?:day|week|month|year|quarter|${MONTH})`),
  day(
    `(?:on )?${WD},? (?:the )?(?:${DATE} (?:of )?${MONTH}|${MONTH} (?:the )?${DATE})(?![:.\\d]| ?[ap]\\.?m\\b)${YEAR}|(?:on )?${WD},? the ${DATE}\\b`,
  ),
  day(
    `(?:on )?(?:the )?${DATE} (?:of )?${MONTH}${YEAR}|(?:on )?${MONTH} (?:the )?${DATE}(?![:.\\d]| ?[ap]\\.?m\\b)${YEAR}`,
  ),
  day('(?:on )?\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?!\\d)'),
  day('(?:on )?\\d{1,2}[./]\\d{1,2}[./]\\d{4}\\b'),
  rule('(?:on|by|due|until|before) (?<day>\\d{1,2}[./]\\d{1,2})(?!\\d)', ({ day: words }) => ({
    kind: 'day',
    words: words!,
    repeats: false,
    part: null,
  })),
  day(
    `(?:(?:on|at) )?(?:${HOLIDAY})(?:,? (?:of )?(?:\\d{4}(?![:\\d])|next year|this year))?(?:${MEANS_DAY}|(?= ${PART}))`,
  ),
  day(`on (?:${HOLIDAY})(?!\\w)`),
  day('(?:the )?day after tomorrow\\b|tomorrow\\b|today\\b|yesterday\\b'),
  rule('tmrw?\\b', () => ({ kind: 'day', words: 'tomorrow', repeats: false, part: null })),
  rule('tonight\\b', () => ({ kind: 'day', words: 'today', repeats: false, part: 'evening' })),
  rule('this (?<part>morning|afternoon|evening)\\b', ({ part }) => ({
    kind: 'day',
    words: 'today',
    repeats: false,
    part: partOf(part),
  })),
  day(`on the \\d{1,2}(?:st|nd|rd|th)\\b|the \\d{1,2}(?:st|nd|rd|th)${MEANS_DAY}`),
  day(
    `(?:on )?(?:(?:this coming|next|this|coming|last) )?(?<!the )(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b(?!['’])`,
  ),
  day(`(?:on |next |this |last )(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\\b\\.?|(?:mon|tue|thu|fri)\\b(?!['’])\\.?`),
  vague(
    `(?:next|this|last|coming|past|following) (?:week|month|year|quarter|weekend|summer|winter|spring|autumn)\\b(?!['’])|(?:(?:on|over) )?(?:the )?weekend\\b|fortnight|easter\\b|thanksgiving|mother['’]s day|father['’]s day|(?:chinese|lunar) new year|in ${FULL_MONTH}\\b`,
  ),
  vague(`(?:${N}|a few|few|several|a couple of|couple of) (?:days|weeks|months|years|hours|minutes)\\b`),
  rule(`(?:from|between) ${clock(1)} ?(?:to|until|till|and|-|–|—) ?${clock(2)}(?![\\w:])`, range),
  rule(`(?:at )?${clock(1)} ?(?:to|until|till|-|–|—) ?${clock(2)}(?![\\w:])`, (groups) =>
    groups['ap1'] || groups['ap2'] || (groups['m1'] && groups['m2']) ? range(groups) : null,
  ),
  rule(
    `(?:at )?(?<past>half|a quarter|quarter|\\d{1,2}(?: minutes?)?|five|ten|twenty) (?<side>past|to) ${clock(1)}(?![\\w:])`,
    (groups) => {
      const said = clockOf(groups, 1);
      const words = groups['past']!.replace(/ minutes?$/i, '');
      const past = /half/i.test(words) ? 30 : /quarter/i.test(words) ? 15 : readEnglishNumber(words);
      const at = groups['side']!.toLowerCase() === 'past' ? said.hour * 60 + past : said.hour * 60 - past;
      return { kind: 'clock', clock: { ...said, hour: Math.floor(at / 60), minute: at % 60 }, until: null };
    },
  ),
  rule(`(?:at |@ ?)?(?<h1>${HOUR})(?:[:.](?<m1>[0-5]\\d))? ?(?<ap1>[ap])\\.?m\\b\\.?`, single),
  rule('(?:at |@ ?)?(?<h1>\\d{1,2}):(?<m1>[0-5]\\d)(?![:\\d])', single),
  rule(`(?:at |@ ?)?(?<h1>${HOUR}) ?o['’]?clock\\b`, single),
  rule('at (?<h1>[01]\\d|2[0-3])(?<m1>[0-5]\\d)(?![\\w:])', single),
  // A bare number behind a day, whose characters are taken by then.
  rule('(?<=\\0 )(?<h1>\\d{1,2})(?=$|[,.;!?])', single),
  rule(
    `(?:at|@|by|until|around) (?<h1>${HOUR})(?: (?<m1>fifteen|thirty|forty[- ]five))?(?![\\w:.%/]|-\\w)`,
    (groups) => ({
      kind: 'clock',
      clock: {
        ...clockOf({ h1: groups['h1'] }, 1, true),
        minute: groups['m1'] === undefined ? 0 : readEnglishNumber(groups['m1']),
      },
      until: null,
    }),
  ),
  rule('(?:at )?(?:noon|midday)\\b', () => ({
    kind: 'clock',
    clock: { hour: 12, minute: 0, part: 'noon', isPadded: false },
    until: null,
  })),
  vague('(?:at )?midnight\\b'),
  rule(
    `(?:(?:in|during) )(?:the )?(?:early |late )?(?<part>morning|afternoon|evening)\\b|at (?<night>night)\\b`,
    (groups) => ({
      kind: 'part',
      part: partOf(groups['part'] ?? groups['night'])!,
    }),
  ),
  vague("o['’]?clock\\b|(?:utc|gmt|ces?t|[ecmp][sd]t|bst|jst)\\b|(?:half|quarter) (?:past|to)\\b"),
];

/** A number or a part of the day that answers a question for an hour, and is none of the expressions above. */
export const englishAnswers: TimeRule[] = [
  rule('(?<h1>\\d{1,2})(?![\\w:/.-])', single),
  rule(`(?:the )?(?<part>${PART})\\b`, ({ part }) => ({ kind: 'part', part: partOf(part)! })),
  rule('(?<ap>[ap])\\.?m\\b\\.?', ({ ap }) => ({ kind: 'part', part: /a/i.test(ap!) ? 'morning' : 'afternoon' })),
];

/** Words that lead to a time and go with it, and those that follow one. */
export const ENGLISH_BEFORE =
  /(?<![\s,.])[\s,.]*\b(?:it(?:['’]s| is)|due(?: on| by| at)?|by|on|at|for|until|from|in|to|starting(?: on| at| from)?)(?: the)?\s*$/i;
/** The same before a time that begins with a word like these. */
export const ENGLISH_BEFORE_PHRASE = /(?<![\s,.])[\s,.]*\b(?:it(?:['’]s| is)|due|by|starting|for)\s*$/i;
export const ENGLISH_AFTER = /^\s*(?:,|to\b|that\b|about\b)?\s*/i;
/** Words left at the end of a title whose time was taken out, which say that it was not the time itself. */
export const ENGLISH_LIMIT = /(?<![\s,])[\s,]*\b(?:before|until)$/i;
export const ENGLISH_BOUND = /\b(?:before|after|around|about|until|since|between)$/i;
