import type { Temporal } from 'temporal-polyfill';
import {
  type Clock,
  comingDay,
  dayFrom,
  dayIn,
  hourIn,
  type PartOfDay,
  repeats,
  type Said,
  type TimeRule,
  timeRule,
  weekdayIn,
} from './said.ts';

const DIGITS = '零〇一二两三四五六七八九十';
const N = `(?:\\d{1,4}|[${DIGITS}]{1,3})`;
const WEEK = '(?:周|星期|礼拜)';
const WEEKDAY = `${WEEK}[一二三四五六日天](?!次)`;
const DAY_LIST = `${WEEK}?[一二三四五六日天](?!次)(?:[、,，和及]?${WEEK}?[一二三四五六日天]){0,6}(?![点时个])`;
const LATER = '(?:之后|以后|过后|后)';
const HOURS = '(?:小时|钟头)';
const SPAN = `(?:半个?${HOURS}|${N}个半${HOURS}|${N}个?${HOURS}(?:半|零?${N}分钟?)?|${N}分钟|${N}刻钟)`;
const PARTS: Record<string, PartOfDay> = {
  早上: 'morning',
  早晨: 'morning',
  清晨: 'morning',
  上午: 'morning',
  早: 'morning',
  中午: 'noon',
  正午: 'noon',
  下午: 'afternoon',
  傍晚: 'evening',
  晚上: 'evening',
  晚: 'evening',
  夜里: 'night',
  夜晚: 'night',
  凌晨: 'dawn',
};
const PART = `(?:早上|早晨|清晨|上午|中午|正午|下午(?!茶)|傍晚|晚上|夜里|夜晚|凌晨|早(?=${N}点)|晚(?=(?!一点)${N}点))`;
/** Repetitions and distances that are not supported. */
const NO_DISTANCE = [
  `每隔?${N}?个?(?:天|${WEEK}|月|年|小时|分钟)`,
  `(?:${SPAN}|${N}天)(?:之前|以前|前|内|以内)|过[几两]天|几个?[天周月年]?${LATER}`,
  `${N}个?${WEEK}${LATER}的?${WEEK}[一二三四五六日天末]`,
].join('|');
/** Days whose date differs each year, periods, and impossible hours. */
const VAGUE = [
  `(?:[上这本下]个?)?[月年][底初末]|(?:上|这|本|下下|下)个?(?:${WEEK}末?|月|季度|年)|${WEEK}末|[今明后去]年|[上下]半年`,
  '春节|除夕|(?:中秋|端午|清明|元宵|重阳|七夕)节?|感恩节|[母父]亲节|复活节|农历|腊月|大年|改天',
  '午夜|半夜|子夜|零点|几点',
].join('|');
/** Words before a number of hours that make it "a bit later" or "many things". */
const NO_HOUR = '(?<![早快慢多少有大小好差晚])';

/** Parses `15`, `十五` or `二十五`, up to 99 in Chinese numerals; NaN if it is not a number. */
const numberOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text);
  const [, tens, ten, ones] = /^([一二两三四五六七八九])?(十)?([零〇一二两三四五六七八九])?$/.exec(text) ?? [];
  const digitOf = (digit: string): number =>
    digit === '两' ? 2 : Math.max(0, DIGITS.replace('两', '').indexOf(digit) - 1);
  if (ten === undefined) return tens !== undefined && ones !== undefined ? Number.NaN : digitOf(tens ?? ones ?? '零');
  return (tens === undefined ? 1 : digitOf(tens)) * 10 + digitOf(ones ?? '零');
};

const weekdayOf = (day: string): number => (/[日天]/.test(day) ? 7 : numberOf(day));

const durationUnit = (unit: string): 'days' | 'months' | 'years' | 'weeks' => {
  if (unit === '天' || unit === '日') return 'days';
  if (unit.endsWith('月')) return 'months';
  return unit === '年' ? 'years' : 'weeks';
};

const minutesOf = (span: string): number => {
  const [, hours, half, more] = new RegExp(`(半|${N})个?(半)?${HOURS}(半)?`).exec(span) ?? [];
  const [, amount, unit] = new RegExp(`(${N})(分|刻)`).exec(span) ?? [];
  const whole = hours === undefined ? 0 : hours === '半' ? 30 : numberOf(hours) * 60;
  const rest = amount === undefined ? 0 : numberOf(amount) * (unit === '刻' ? 15 : 1);
  return whole + ((half ?? more) === undefined ? 0 : 30) + rest;
};

/** The pattern of a clock time whose group names end in a number: `p1`, `h1`, `m1` or `f1`, `w1`. */
const clock = (i: number): string =>
  `(?<p${i}>${PART})?(?:的)? ?(?:(?<h${i}>\\d{1,2}):(?<m${i}>[0-5]\\d)(?!\\d)|(?<w${i}>${N})(?:点|时(?![间候]))(?:钟|整)?(?:(?<f${i}>半|[一三]刻|${N}分?))?)`;

const clockOf = (groups: Record<string, string | undefined>, i: number): Clock => {
  const { [`h${i}`]: figures, [`m${i}`]: minutes, [`f${i}`]: fraction, [`w${i}`]: words } = groups;
  const named: Record<string, number> = { 半: 30, 一刻: 15, 三刻: 45 };
  const minute =
    fraction === undefined ? Number(minutes ?? 0) : (named[fraction] ?? numberOf(fraction.replace('分', '')));
  return { hour: numberOf(figures ?? words!), minute, isSure: /^0\d/.test(figures ?? '') };
};

const said = (groups: Record<string, string | undefined>): Said => ({
  clock: clockOf(groups, 1),
  ...(groups['p1'] !== undefined && { part: PARTS[groups['p1']]! }),
});

/** A date in the stated year, or in the coming one. */
const yearly = ({ y, m, d }: Record<string, string | undefined>, today: Temporal.PlainDate): Said => {
  const months = numberOf(m!);
  if (!(months >= 1 && months <= 12)) return {};
  const year =
    y === undefined || /^\d/.test(y) ? Number(y?.slice(0, 4) ?? today.year) : today.year + '今明后'.indexOf(y[0]!);
  const month = today.with({ year, month: months, day: 1 }).toPlainYearMonth();
  return dayIn(month, numberOf(d!), y === undefined ? 'without_year' : 'fully');
};

/** Makes a rule. An expression whose number is invalid means nothing. */
const rule = (pattern: string, read: TimeRule['read']): TimeRule =>
  timeRule(pattern, 'gu', (groups, today) => {
    const said = groups['n'] !== undefined && Number.isNaN(numberOf(groups['n'])) ? {} : read(groups, today);
    const { seconds, minutes, clock, until } = said;
    const numbers = [seconds, minutes, clock?.hour, clock?.minute, until?.hour, until?.minute];
    return numbers.some((number) => Number.isNaN(number)) ? {} : said;
  });

/** Expressions for times in Chinese, in simplified characters; longer ones first. Weeks begin on Monday. */
export const chineseTimes: TimeRule[] = [
  rule(
    `(?:(?<other>每?隔一?个?|每[两2]个?)|每个?)(?:(?<part>早上?|晚上?)(?![饭餐会])|(?<work>工作日|${WEEK}一[到至]${WEEK}?五)|(?<end>周末)|${WEEK}的?(?<days>${DAY_LIST})|月的?(?<date>${N})[日号]|[天日])`,
    ({ other, part, work, end, days, date }) => {
      const named = [...(days ?? '').matchAll(/[一二三四五六日天]/g)].map(([name]) => weekdayOf(name));
      const weekend = end !== undefined ? [6, 7] : named;
      const inWeek = work !== undefined ? [1, 2, 3, 4, 5] : weekend;
      const inMonth = date === undefined ? {} : { date: numberOf(date) };
      const repeated = repeats(inWeek.length > 0 ? { days: inWeek } : inMonth, other !== undefined);
      return part === undefined ? repeated : { ...repeated, part: PARTS[part]! };
    },
  ),
  rule('(?<day>[今明昨])(?<part>[早晚])上?(?![饭餐会自])', ({ day, part }, today) => ({
    ...dayFrom(today, '昨今明'.indexOf(day!) - 1),
    part: PARTS[part!]!,
  })),
  rule(NO_DISTANCE, () => ({})),
  rule(`(?<span>${SPAN})${LATER}`, ({ span }) => ({ seconds: minutesOf(span!) * 60 })),
  rule(`(?<n>${N})秒钟?${LATER}`, ({ n }) => ({ seconds: numberOf(n!) })),
  rule('现在|马上|立刻|立即', () => ({ seconds: 0 })),
  rule(`(?<n>${N})(?<unit>[天日]|个?${WEEK}|个?月|年)${LATER}`, ({ n, unit }, today) => {
    return { day: { date: today.add({ [durationUnit(unit!)]: numberOf(n!) }), named: 'fully' } };
  }),
  rule(`(?:时长|持续|为时|用时|大概|大约|约|共)?:? ?(?<span>${SPAN})(?:的|左右)?`, ({ span }) => ({
    minutes: minutesOf(span!),
  })),
  rule(`(?<y>(?:\\d{4}|[今明后])年)?的?(?<m>${N})月的?(?<d>${N})(?:[日号]|(?![\\d${DIGITS}]))`, yearly),
  rule(`(?<which>这|本|下下|下)个?月的?(?<d>${N})[日号]`, ({ which, d }, today) =>
    dayIn(
      today.toPlainYearMonth().add({ months: which!.length * Number(which!.startsWith('下')) }),
      numberOf(d!),
      'fully',
    ),
  ),
  rule(`(?<which>上|这|本|下下|下)个?${WEEK}(?<day>[一二三四五六日天])(?!次)`, ({ which, day }, today) =>
    weekdayIn(today, which === '上' ? -1 : which!.length * Number(which!.startsWith('下')), weekdayOf(day!)),
  ),
  rule(`(?=${WEEKDAY})${WEEK}(?<day>.)`, ({ day }, today) => ({
    day: { date: today.add({ days: (weekdayOf(day!) - today.dayOfWeek + 7) % 7 }), named: 'weekday' },
  })),
  rule('(?<name>大?后[天日]|大?前天|[今明昨][天日])', ({ name }, today) => {
    return dayFrom(today, { 大后: 3, 后: 2, 明: 1, 今: 0, 昨: -1, 前: -2, 大前: -3 }[name!.slice(0, -1)]!);
  }),
  rule(`(?<![第年月\\d${DIGITS}])(?<d>${N})[日号](?![线楼院店门机房馆厅桌电])`, ({ d }, today) =>
    comingDay(today, numberOf(d!)),
  ),
  rule(VAGUE, () => ({})),
  rule(`${NO_HOUR}${clock(1)}(?:到|至|-|~|–|—){1,2} ?${clock(2)}`, (groups) => {
    const until = clockOf(groups, 2);
    const part = groups['p2'] === undefined ? undefined : PARTS[groups['p2']]!;
    const sure = part === undefined ? null : hourIn(part, until.hour);
    return { ...said(groups), until: sure === null ? until : { ...until, hour: sure, isSure: true } };
  }),
  rule(`${NO_HOUR}${clock(1)}`, said),
  rule('中午|正午', () => ({ clock: { hour: 12, minute: 0, isSure: true } })),
  rule(`(?<part>${PART})(?!好)`, ({ part }) => ({ part: PARTS[part!]! })),
];

/** Texts that answer a question for a time and are not among the expressions above. */
export const chineseAnswers: TimeRule[] = [
  rule(`(?<w1>[${DIGITS}]{1,3})(?=$|[。,，吧])`, said),
  rule('(?<part>[早晚])(?=$|[。,，吧])', ({ part }) => ({ part: PARTS[part!]! })),
];

const TRADITIONAL = '週點鐘後個兩號時禮這幾過內開間會長約從節';
const SIMPLIFIED = '周点钟后个两号时礼这几过内开间会长约从节';

/** A text of the same length in simplified characters, as far as they occur in times. */
export const simplified = (text: string): string =>
  text.replace(new RegExp(`[${TRADITIONAL}]`, 'g'), (letter) => SIMPLIFIED[TRADITIONAL.indexOf(letter)]!);
