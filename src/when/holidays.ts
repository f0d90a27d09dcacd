/** A holiday that has the same date every year, and what it is called. Names are for use inside an expression. */
interface Holiday {
  month: number;
  day: number;
  en: string | null;
  zh: string | null;
}

/** The eves come first: each begins as its feast does. */
const HOLIDAYS: Holiday[] = [
  { month: 10, day: 31, en: 'halloween', zh: '万圣节前夜|万圣夜' },
  { month: 12, day: 24, en: 'christmas eve', zh: '平安夜|圣诞节?(?:前夜|前夕)' },
  { month: 12, day: 31, en: "new years?'?s? eve", zh: '跨年夜?|元旦前夜' },
  { month: 1, day: 1, en: "new years?'?s? day", zh: '元旦' },
  { month: 2, day: 14, en: "valentine'?s(?: day)?", zh: '情人节' },
  { month: 3, day: 8, en: "(?:international )?women'?s day", zh: '(?:三八)?妇女节' },
  { month: 3, day: 17, en: "(?:st\\.?|saint) patrick'?s(?: day)?", zh: null },
  { month: 4, day: 1, en: "april fools?'?(?: day)?", zh: '愚人节' },
  { month: 5, day: 1, en: null, zh: '(?:五一)?(?:国际)?劳动节|五一(?:节)?' },
  { month: 6, day: 1, en: null, zh: '(?:六一)?儿童节|六一' },
  { month: 7, day: 4, en: '(?:the )?(?:fourth|4th) of july|independence day', zh: null },
  { month: 9, day: 10, en: null, zh: '教师节' },
  { month: 10, day: 1, en: null, zh: '国庆节?|十一国庆' },
  { month: 11, day: 1, en: null, zh: '万圣节' },
  { month: 11, day: 11, en: null, zh: '双十一|光棍节' },
  { month: 12, day: 25, en: '(?:christmas|xmas)(?: day)?', zh: '圣诞节?' },
  { month: 12, day: 26, en: 'boxing day', zh: null },
];

const named = (name: 'en' | 'zh') =>
  HOLIDAYS.flatMap((holiday) => (holiday[name] === null ? [] : [{ ...holiday, pattern: `(?:${holiday[name]})` }]));

/** Every name of a holiday in a language, for use inside an expression. Those that move from year to year are none of these. */
export const holidayNames = (language: 'en' | 'zh'): string =>
  named(language)
    .map(({ pattern }) => pattern)
    .join('|');

const known = { en: named('en'), zh: named('zh') };
const exactly = new Map(
  [...known.en, ...known.zh].map(({ pattern, month, day }) => [new RegExp(`^${pattern}$`, 'i'), { month, day }]),
);

/** The date that a holiday's name stands for; null for any other text. */
export const holidayOf = (name: string): { month: number; day: number } | null =>
  [...exactly].find(([pattern]) => pattern.test(name.replaceAll('’', "'")))?.[1] ?? null;
