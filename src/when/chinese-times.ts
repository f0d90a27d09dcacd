import { CHINESE_DIGITS, readChineseNumber } from './chinese-number.ts';
import { holidayNames } from './holidays.ts';
import type { PartOfDay, SaidClock, TimeRule, TimeToken } from './time-token.ts';

const N = `(?:\\d{1,3}|[${CHINESE_DIGITS}]{1,3})`;
const WEEK = '(?:周|星期|礼拜)';
const WD = `${WEEK}[一二三四五六日天](?!次)`;
const PART = `(?:早上|早晨|清晨|上午|中午|下午(?!茶)|傍晚|晚上|夜里|夜晚|凌晨|早(?=${N}点)|晚(?=(?!一点)${N}点))`;
const LATER = '(?:之后|以后|过后|后)';
const HOURS = '(?:小时|钟头)';
const SPAN = `(?:半个?${HOURS}|${N}个半${HOURS}|${N}个?${HOURS}(?:${N}分钟?)?|${N}分钟|${N}刻钟)`;
const HOLIDAY = holidayNames('zh');

const parts: Record<string, PartOfDay> = {
  早: 'morning',
  早上: 'morning',
  早晨: 'morning',
  清晨: 'morning',
  上午: 'morning',
  中午: 'noon',
  下午: 'afternoon',
  傍晚: 'evening',
  晚: 'evening',
  晚上: 'evening',
  夜里: 'night',
  夜晚: 'night',
  凌晨: 'dawn',
};
const partOf = (word: string | undefined): PartOfDay | null => (word === undefined ? null : parts[word]!);

/** An hour, as groups with a number behind their names: `p1`, `h1`, `m1` or `f1`, `w1`. */
const clock = (i: number): string =>
  `(?<p${i}>${PART})?(?:的)? ?(?:(?<h${i}>\\d{1,2})[:：](?<m${i}>[0-5]\\d)|(?<w${i}>${N})(?:点|时(?![间候]))(?:钟|整)?(?:(?<f${i}>半|[一三]刻|${N}分?))?)`;

const clockOf = (groups: Record<string, string | undefined>, i: number): SaidClock => {
  const figures = groups[`h${i}`];
  const after = groups[`f${i}`]?.replace('分', '');
  const minute = after === undefined ? 0 : ({ 半: 30, 一刻: 15, 三刻: 45 }[after] ?? readChineseNumber(after));
  return {
    hour: readChineseNumber(figures?.replace(/^0(?=\d)/, '') ?? groups[`w${i}`]!),
    minute: groups[`m${i}`] === undefined ? minute : Number(groups[`m${i}`]),
    part: partOf(groups[`p${i}`]),
    isPadded: /^0\d/.test(figures ?? ''),
  };
};

const minutesOf = (text: string): number => {
  const hours = new RegExp(`(半|${N})个?(半)?${HOURS}`).exec(text);
  const minutes = new RegExp(`(${N})(分|刻)`).exec(text);
  const amount = hours === null ? 0 : (hours[1] === '半' ? 0.5 : readChineseNumber(hours[1]!)) + (hours[2] ? 0.5 : 0);
  const rest = minutes === null ? 0 : readChineseNumber(minutes[1]!) * (minutes[2] === '刻' ? 15 : 1);
  return Math.round(amount * 60 + rest);
};

const rule = (pattern: string, read: TimeRule['read']): TimeRule => ({ pattern: new RegExp(pattern, 'gu'), read });

const day = (pattern: string, repeats = false): TimeRule =>
  rule(`(?<day>${pattern})(?:的? ?(?<part>${PART}))?`, ({ day: words, part }) => ({
    kind: 'day',
    words: words!.replace(/的$/u, ''),
    repeats,
    part: partOf(part),
  }));

const dayIn = (pattern: string, words: Record<string, string>): TimeRule =>
  rule(`(?<day>${pattern})(?<part>[早晚])上?(?![饭餐会点自])`, ({ day: name, part }) => ({
    kind: 'day',
    words: words[name!]!,
    repeats: name === '每',
    part: partOf(part),
  }));

const single = (groups: Record<string, string | undefined>): TimeToken => ({
  kind: 'clock',
  clock: clockOf(groups, 1),
  until: null,
});

const vague = (pattern: string): TimeRule => rule(pattern, () => ({ kind: 'vague' }));

/** How times are said in Chinese, the longer expressions first. */
export const chineseTimes: TimeRule[] = [
  dayIn('[今明昨每]', { 今: '今天', 明: '明天', 昨: '昨天', 每: '每天' }),
  day(
    `(?:每隔一?个?|每[两2]?个?|隔)(?:天|日|工作日|周末|月${N}[日号]|${WEEK}的?${WEEK}?[一二三四五六日天](?!次)(?:[、,，和及]?${WEEK}?[一二三四五六日天]){0,6}(?![点时个]))`,
    true,
  ),
  vague(`每隔?${N}?个?(?:天|${WEEK}|月|年|小时|分钟)`),
  rule(`(?:${SPAN}|${N}天)(?:之前|以前|前|内|以内)`, () => ({ kind: 'vague' })),
  rule(`${SPAN}${LATER}`, (_, words) => ({ kind: 'instant', words })),
  rule('现在|马上|立刻|立即', (_, words) => ({ kind: 'instant', words })),
  day(`${N}个?${WEEK}${LATER}的?${WD}`),
  day(`${N}(?:天|日|个?${WEEK}|个月|年)${LATER}`),
  rule(`(?:时长|持续|为时|用时|大概|大约|约|共)?[:：]? ?${SPAN}(?:的|左右)?`, (_, text) => ({
    kind: 'duration',
    minutes: minutesOf(text),
  })),
  rule(`(?<![第头])(?<n>${N})天(?!${LATER}|内|前)`, ({ n }) => ({
    kind: 'duration',
    minutes: readChineseNumber(n!) * 1_440,
  })),
  day(`(?:(?:\\d{4}|[今明后])年的?)?${N}月的?${N}(?:[日号]|(?![\\d${CHINESE_DIGITS}]))`),
  day(`(?:这|本|下下|下)个?月的?${N}[日号]`),
  day(`(?:(?:\\d{4}|[今明后])年的?)?(?:${HOLIDAY})(?:当天|那天)?(?![前后]|晚[会餐宴饭]|大餐|派对|礼|树|快乐)`),
  day('\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}(?!\\d)'),
  day(`(?:上|这|本|下下|下)?个?${WD}`),
  day('大?后[天日]|大?前天|[今明昨][天日儿]'),
  day(`(?<![第年月\\d${CHINESE_DIGITS}])${N}[日号](?![线楼院店门机房馆厅桌电])`),
  rule(`${clock(1)}(?:到|至|-|－|~|～|—|–){1,2} ?${clock(2)}`, (groups) => ({
    kind: 'clock',
    clock: clockOf(groups, 1),
    until: clockOf(groups, 2),
  })),
  rule(`(?<![早快慢多少有大小好差晚])${clock(1)}`, single),
  rule('中午|正午', () => ({
    kind: 'clock',
    clock: { hour: 12, minute: 0, part: 'noon', isPadded: false },
    until: null,
  })),
  vague('午夜|半夜|子夜|零点'),
  rule(`(?<part>${PART})(?![好])`, ({ part }) => ({ kind: 'part', part: partOf(part)! })),
  vague(
    `(?:上|这|本|下下|下)个?(?:${WEEK}末?|月|季度|年)|${WEEK}末|[月年][底初末]|[今明后去]年|[上下]半年|春节|除夕|(?:中秋|端午|清明|元宵|重阳|七夕)节?|感恩节|母亲节|父亲节|复活节|农历|腊月|大年|改天|过[几两]天|几天后|几点|(?<![早快慢多少有大小好差晚])${N}点`,
  ),
];

/** A number that answers a question for an hour, and is none of the expressions above. */
export const chineseAnswers: TimeRule[] = [
  rule(`(?<w1>[${CHINESE_DIGITS}]{1,3})(?=$|[。,，吧])`, single),
  rule('(?<part>[早晚])(?=$|[。,，吧])', ({ part }) => ({ kind: 'part', part: partOf(part)! })),
];

/** Words that lead to a time and go with it, and those that follow one. */
export const CHINESE_BEFORE = /(?:定?在|于|截止到?|到期|截止|到)[:：]?\s*$/u;
export const CHINESE_AFTER =
  /^\s*(?:(?:之前|以前|前)(?=[\s,，\p{Script=Han}]|$)|的时候|时候)?\s*[,，]?\s*(?:的|要)?\s*/u;
