import {
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

const DIGITS = '零一二三四五六七八九';
const N = `(?:\\d{1,4}|[${DIGITS}两十]{1,3})`;
const WEEK = '(?:周|星期|礼拜)';
const WEEKDAY = '[一二三四五六日天](?!次)';
const DAY_LIST = `${WEEKDAY}(?:[、,，和]?${WEEK}?[一二三四五六日天]){0,6}(?![点时个])`;
const LATER = '(?:之后|以后|后)';
const SPAN = `(?:半个?小时|${N}个半小时|${N}个?小时(?:半|${N}分钟)?|${N}分钟)`;
const PARTS: Record<string, PartOfDay> = {
  ...{ 早上: 'morning', 上午: 'morning', 早: 'morning', 中午: 'noon', 下午: 'afternoon', 傍晚: 'evening' },
  ...{ 晚上: 'evening', 晚: 'evening', 夜里: 'night', 凌晨: 'dawn' },
};
const PART = '(?:早上|上午|中午|下午|傍晚|晚上|夜里|凌晨)';

/** Words that name a time, and are not read: what they mean is asked for. */
const UNREAD = [
  `(?:每|隔)${N}?个?(?:天|${WEEK}|月|年|小时|分钟)|${N}个?(?:天|${WEEK}|月|年)(?:之后|以后|后)的?(?:${WEEK}[一二三四五六日天末])?`,
  `(?:${SPAN}|${N}天)(?:之前|以前|前|内)|几个?[天周月年]?${LATER}|过[几两]天`,
  `(?:上|这|本|下下|下)个?(?:${WEEK}末?|月|季度|年)(?:${WEEKDAY})?|${WEEK}末|${WEEK}[一二三四五六日天]|[今明后去]年|[月年][底初末]`,
  '[今明后昨]天|[今明昨][早晚]|\\d{1,2}:\\d\\d|几点|午夜|半夜|零点|改天',
  '元旦|春节|除夕|国庆|圣诞|平安夜|跨年|情人节|(?:中秋|端午|清明|元宵|重阳|七夕)节?|[劳妇儿母父]\\S节|五一|六一',
].join('|');

/** Reads `15`, `十五` or `二十五`, up to 99 in Chinese figures; NaN where it is no number. */
const numberOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text);
  const [found, tens, ten, ones] =
    /^([一二三四五六七八九])?(十)?([零一二三四五六七八九])?$/.exec(text.replace('两', '二')) ?? [];
  const digitOf = (digit: string | undefined, missing: number): number =>
    digit === undefined ? missing : DIGITS.indexOf(digit);
  if (found === undefined || (ten === undefined && tens !== undefined && ones !== undefined)) return Number.NaN;
  return ten === undefined ? digitOf(tens ?? ones, Number.NaN) : digitOf(tens, 1) * 10 + digitOf(ones, 0);
};

const weekdayOf = (day: string): number => (/[日天]/.test(day) ? 7 : numberOf(day));

const minutesOf = (span: string): number => {
  const [, hours = '零', half, more] = new RegExp(`(半|${N})个?(半)?小时(半)?`).exec(span) ?? [];
  const minutes = new RegExp(`(${N})分`).exec(span)?.[1] ?? '零';
  const whole = hours === '半' ? 30 : numberOf(hours) * 60;
  return whole + ((half ?? more) === undefined ? 0 : 30) + numberOf(minutes);
};

const MINUTES: Record<string, number> = { 半: 30, 一刻: 15, 三刻: 45 };

const partOf = (part: string | undefined): Said => (part === undefined ? {} : { part: PARTS[part]! });

const WEEKS: Record<string, number> = { 上: -1, 这: 0, 本: 0, 下: 1, 下下: 2 };
const DAYS_AWAY: Record<string, number> = { 大后: 3, 后: 2, 明: 1, 今: 0, 昨: -1, 前: -2 };

/** Makes a rule; an expression whose number is none says nothing. */
const rule = (pattern: string, read: TimeRule['read']): TimeRule => ({
  pattern: new RegExp(pattern, 'gu'),
  read: (groups, today) => (Number.isNaN(numberOf(groups['n'] ?? '零')) ? {} : read(groups, today)),
});

/** How times are said in Chinese, in simplified characters; the longer expressions first. Weeks begin on Monday. */
export const chineseTimes: TimeRule[] = [
  rule(
    `(?:(?<other>每?隔一?个?)|每个?)(?:(?<part>早上|晚上)|(?<work>工作日)|${WEEK}的?(?<days>${DAY_LIST})|月的?(?<n>${N})[日号]|[天日])`,
    ({ other, part, work, days, n }) => {
      const listed = [...(days ?? '').matchAll(/[一二三四五六日天]/g)].map(([name]) => weekdayOf(name));
      const inWeek = work === undefined ? listed : [1, 2, 3, 4, 5];
      const what = inWeek.length > 0 ? { days: inWeek } : n === undefined ? {} : { date: numberOf(n) };
      return { ...repeats(what, other !== undefined), ...partOf(part) };
    },
  ),
  rule('(?<day>[今明昨])(?<part>[早晚])上?(?![饭餐会])', ({ day, part }, today) => ({
    ...dayFrom(today, DAYS_AWAY[day!]!),
    ...partOf(part),
  })),
  rule(`(?<span>${SPAN})${LATER}`, ({ span }) => ({ seconds: minutesOf(span!) * 60 })),
  rule('现在|马上|立刻', () => ({ seconds: 0 })),
  rule(`(?<n>${N})(?<unit>天|个?${WEEK}|个月)${LATER}(?!的?${WEEK})`, ({ n, unit }, today) => {
    const key = unit === '天' ? 'days' : unit === '个月' ? 'months' : 'weeks';
    return { day: { date: today.add({ [key]: numberOf(n!) }), named: 'fully' } };
  }),
  rule(`(?:时长|持续|大约|约)?:? ?(?<span>${SPAN})(?!之?前|以前|内)`, ({ span }) => ({ minutes: minutesOf(span!) })),
  rule(`(?:(?<y>\\d{4})年)?(?<month>${N})月(?<n>${N})(?:[日号]|(?![\\d${DIGITS}]))`, ({ y, month, n }, today) =>
    dated(
      { year: y === undefined ? today.year : Number(y), month: numberOf(month!), day: numberOf(n!) },
      y === undefined ? 'without_year' : 'fully',
    ),
  ),
  rule(`(?<which>上|这|本|下下|下)个?${WEEK}(?<day>${WEEKDAY})`, ({ which, day }, today) =>
    weekdayIn(today, WEEKS[which!]!, weekdayOf(day!)),
  ),
  rule(`(?<![的后])${WEEK}(?<day>${WEEKDAY})`, ({ day }, today) => comingWeekday(today, weekdayOf(day!))),
  rule('(?<name>大后|[前昨今明后])[天日]', ({ name }, today) => dayFrom(today, DAYS_AWAY[name!]!)),
  rule(`(?<![第年月\\d${DIGITS}])(?<n>${N})号(?![线楼院店门机房馆厅桌])`, ({ n }, today) =>
    comingDay(today, numberOf(n!)),
  ),
  rule(`(?:${PART})?${N}点(?:半|[一三]刻|${N}分?)?[到至-](?:${PART})?${N}点?`, () => ({})),
  rule(
    `(?<![早快多少有大小好差])(?<part>${PART}|早|晚)?的? ?(?<h>${N})点钟?(?<minutes>半|[一三]刻|${N}分?)?`,
    ({ part, h, minutes = '零' }) => {
      const minute = MINUTES[minutes] ?? numberOf(minutes.replace('分', ''));
      return { clock: { hour: numberOf(h!), minute, isSure: false, isDigital: false }, ...partOf(part) };
    },
  ),
  rule(`(?<part>${PART})(?![好茶])`, ({ part }) => partOf(part)),
];

/** Expressions that are looked for once all others are found. */
export const unreadChinese = rule(UNREAD, () => ({}));

const TRADITIONAL = '週點鐘後個兩號時禮這內開會';
const SIMPLIFIED = '周点钟后个两号时礼这内开会';

/** A text of the same length in simplified characters, as far as times are written in them. */
export const simplified = (text: string): string =>
  text.replace(new RegExp(`[${TRADITIONAL}]`, 'g'), (letter) => SIMPLIFIED[TRADITIONAL.indexOf(letter)]!);
