const digits = new Map([...'零一二三四五六七八九'].map((digit, value) => [digit, value]));
digits.set('〇', 0).set('两', 2);

/** The characters that may make up a number in a Chinese time, for use inside a character class. */
export const CHINESE_DIGITS = '零〇一二两三四五六七八九十';

/** Reads `15`, `十五` or `二十五`, up to 99 in Chinese figures; NaN when it is no number. */
export function readChineseNumber(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const [, tens, ten, ones] = /^([一二两三四五六七八九])?(十)?([零〇一二两三四五六七八九])?$/.exec(text) ?? [];
  if (text === '' || (tens !== undefined && ten === undefined && ones !== undefined)) return Number.NaN;
  if (ten === undefined) return digits.get(tens ?? ones ?? '') ?? Number.NaN;
  return (tens === undefined ? 1 : digits.get(tens)!) * 10 + (ones === undefined ? 0 : digits.get(ones)!);
}
