/** A character of Chinese, Japanese or Korean, or of their punctuation: twice as wide as a Latin letter, without spaces around it. */
export const WIDE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

const EACH_WIDE = new RegExp(WIDE, 'gu');

/** About how wide a text is, in Latin letters. */
export const widthOf = (text: string): number => text.length + (text.match(EACH_WIDE)?.length ?? 0);
