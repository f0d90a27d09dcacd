import type { Temporal } from 'temporal-polyfill';
import { CHINESE_DIGITS, readChineseNumber } from './chinese-number.ts';
import { holidayDate, weekdayInWeeks } from './english-words.ts';
import { holidayNames } from './holidays.ts';

/** A Chinese time in the words that chrono reads rightly. `nextDay`: it names the midnight that ends the day. */
export interface ChineseWords {
  text: string;
  nextDay: boolean;
}

const DAY_NUMBER = `(?:\\d{1,2}|[${CHINESE_DIGITS}]{1,3})`;
const WEEKDAY = /(上|这|本|下下|下)个?(?:周|星期|礼拜)([一二三四五六日天末])/g;
const DAY_OF_MONTH = new RegExp(`(这|本|下下|下)个?月(${DAY_NUMBER})[日号]`, 'g');
const BARE_DAY = new RegExp(`(?<![月年\\d${CHINESE_DIGITS}])(${DAY_NUMBER})[日号]`, 'g');
const MIDNIGHT = /(今|明|后|昨)?天?晚上?(?=(?:12|十二)(?:[点时]|:))/;
/** One to four "in the evening" is past midnight to some and no time to others. */
const DOUBTFUL_NIGHT = /晚上?(?:[1-4一二两三四])(?:[点时]|:)/;
const VAGUE = /几|[后内]$/;
const WEEKS_AWAY = new RegExp(
  `(\\d{1,2}|[${CHINESE_DIGITS}]{1,3})个?(?:周|星期|礼拜)(?:之后|以后|后)的?(?:周|星期|礼拜)([一二三四五六日天末])`,
);
const HOLIDAY = new RegExp(`(今年|明年|后年|\\d{4}年)?的?(${holidayNames('zh')})(?:当天|那天)?`);
const YEAR = /(今|明|后)年的?(?=\d|[一二三四五六七八九十])/;
/** A weekday with a part of the day and no hour: chrono's Chinese takes it for today. */
const WEEKDAY_PART = /(?:周|星期|礼拜)[一二三四五六日天末]的?(?:早上|上午|下午|傍晚|晚上|晚|夜里)$/;

const written = (date: Temporal.PlainDate): string => `${date.year}年${date.month}月${date.day}日`;

const weeksAway: Record<string, number> = { 上: -1, 这: 0, 本: 0, 下: 1, 下下: 2 };

const yearsAway: Record<string, number> = { 今: 0, 明: 1, 后: 2 };

const dayOfWeekOf = (day: string): number =>
  day === '末' ? 6 : day === '天' || day === '日' ? 7 : readChineseNumber(day);

/** Weeks begin on Monday in Chinese; chrono's begin on Sunday, which moves every 下周日 and 这周日. */
function weekdayOf(today: Temporal.PlainDate, which: string, day: string): string {
  return written(today.add({ days: weeksAway[which]! * 7 + dayOfWeekOf(day) - today.dayOfWeek }));
}

/** The day of that number in a month, or the words as they were when that month has no such day. */
function dayOfMonth(words: string, month: Temporal.PlainYearMonth, number: string): string {
  const day = readChineseNumber(number);
  return day >= 1 && day <= month.daysInMonth ? written(month.toPlainDate({ day })) : words;
}

function nextDayOfMonth(words: string, today: Temporal.PlainDate, number: string): string {
  const month = today.toPlainYearMonth();
  return dayOfMonth(words, readChineseNumber(number) < today.day ? month.add({ months: 1 }) : month, number);
}

/**
 * Rewrites what chrono's Chinese reads wrongly or not at all: weeks that begin on Monday, days of the month without a month, quarters,
 * noon and midnight, parts of the day, holidays, weekdays some weeks away. Null: the words are too vague to be a time (`几天后`, `晚上两点`).
 */
export function rewriteChinese(words: string, today: Temporal.PlainDate): ChineseWords | null {
  const text = words.replace(/(?<=\p{Script=Han}) +|(?<! ) +(?=\p{Script=Han})/gu, '');
  if (VAGUE.test(text) || DOUBTFUL_NIGHT.test(text) || WEEKDAY_PART.test(text)) return null;
  const month = today.toPlainYearMonth();
  let isClear = true;
  const dated = (all: string, date: Temporal.PlainDate | null): string => {
    isClear &&= date !== null;
    return date === null ? all : written(date);
  };
  const rewritten = text
    .replace(WEEKS_AWAY, (all: string, weeks: string, day: string) =>
      dated(all, weekdayInWeeks(today, readChineseNumber(weeks), dayOfWeekOf(day))),
    )
    .replace(HOLIDAY, (all: string, year: string | undefined, name: string) => {
      const named =
        year === undefined ? null : (yearsAway[year[0]!] ?? Number(year.slice(0, 4)) - today.year) + today.year;
      return dated(all, holidayDate(name, today, named));
    })
    .replace(YEAR, (_, which: string) => `${today.year + yearsAway[which]!}年`)
    .replace(/(\d{4})[-/](\d{1,2})[-/](\d{1,2})/, '$1年$2月$3日')
    .replace(WEEKDAY, (_, which: string, day: string) => weekdayOf(today, which, day))
    .replace(/周末/, '周六')
    .replace(DAY_OF_MONTH, (all: string, which: string, day: string) =>
      dayOfMonth(all, month.add({ months: weeksAway[which]! }), day),
    )
    .replace(BARE_DAY, (all: string, day: string) => nextDayOfMonth(all, today, day))
    .replace(/点钟/, '点')
    .replace(/(?<=[点时])一刻/, '15分')
    .replace(/(?<=[点时])三刻/, '45分')
    .replace(/清晨|早晨/, '早上')
    .replace(/傍晚|夜里|夜晚/, '晚上')
    .replace(/(?<![今明后昨夜])晚(?!上)/, '晚上')
    .replace(/中午(?=[1一2二两](?:[点时]|:))/, '下午')
    .replace(/(?:上午|下午|早上|晚上)(?=(?:1[3-9]|2[0-3]|十[三四五六七八九]|二十[一二三]?)(?:[点时]|:))/, '');
  if (!isClear) return null;
  const midnight = MIDNIGHT.exec(rewritten);
  if (!midnight) return { text: rewritten, nextDay: false };
  const start = midnight[1] ? `${midnight[1]}天凌晨` : '凌晨';
  return { text: rewritten.replace(MIDNIGHT, start), nextDay: true };
}
