import { INPUT_BYTES_MAX } from '../contracts/limits.ts';
import { ASKS_FOR_YES, type Part, TRADITIONAL, VOCABULARY } from './vocabulary.ts';

const CANCEL = ['/cancel', 'cancel task', '取消当前任务', '取消任务'];

/** Longest text that can be one of the phrases, in characters: several times the longest, for spaces and punctuation. */
const PHRASE_CHARS_MAX = 200;

/** True for a whole input that says "cancel the task" (SPEC 2); never for a part of one. */
export const isCancelPhrase = (input: string): boolean => CANCEL.includes(input.trim().toLowerCase());

/** True for a text that asks something, and so answers nothing. */
export const isQuestion = (text: string): boolean => /[?？؟⁇⁈‽]/u.test(text);

/** True when two questions differ in case, spacing and punctuation at most (SPEC 6). Texts longer than an input are compared as they are. */
export const isSameQuestion = (one: string, other: string): boolean => {
  if (Math.max(one.length, other.length) > INPUT_BYTES_MAX) return one === other;
  const letters = (text: string): string => text.toLowerCase().replace(/[\p{P}\s]+/gu, '');
  return letters(one) === letters(other);
};

const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  [...TRADITIONAL.matchAll(/(.)(.)/gu)].map(([, from, to]) => [from!, to!]),
);

/** A text in the spelling that phrases are compared in: one width, one case, simplified characters, without apostrophes and skin tones, 好好好 as 好. */
const spelled = (text: string): string =>
  text
    .replace(/['’‘ʼ´`]/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\uFE0F\u{1F3FB}-\u{1F3FF}]/gu, '')
    .replace(/\p{Script=Han}/gu, (letter) => SIMPLIFIED.get(letter) ?? letter)
    .replace(/([好行对是嗯恩])\1+/gu, '$1');

/** Words in Latin letters, numbers, and single characters of any other script; emoji, too. */
const TOKEN = /[a-z]+|\p{N}+|\p{L}|\p{Extended_Pictographic}/gu;

/** All that may stand between words. Anything else says more than the words do: a question mark above all. */
const BETWEEN = /^[\s.,!;:~"“”()[\]«»。、…「」『』《》【】·–—-]*$/u;

const tokensOf = (text: string): string[] => spelled(text).match(TOKEN) ?? [];

/** Phrases by their first word. `says` is a bit mask: a text says all that its phrases say. */
export type Grammar = ReadonlyMap<
  string,
  readonly { tokens: readonly string[]; says: number; place: 'alone' | 'lead' | undefined }[]
>;

export const grammarOf = (
  phrases: readonly { text: string; says: number; place?: 'alone' | 'lead' | undefined }[],
): Grammar =>
  Map.groupBy(
    phrases.map(({ text, says, place }) => ({ tokens: tokensOf(text), says, place })),
    ({ tokens }) => tokens[0] ?? '',
  );

/** A word of a text: `isParted` where a space, a mark or another script stands before it, `isMarked` where that ends a phrase. */
interface Word {
  readonly text: string;
  readonly isParted: boolean;
  readonly isMarked: boolean;
}

const isHan = (word: string): boolean => /^\p{Script=Han}$/u.test(word);

/** The words of a text; null for a text that is more than words. Chinese has no space inside a phrase: 不 可以 is two. */
const wordsOf = (text: string): Word[] | null => {
  if (text.trim().length > PHRASE_CHARS_MAX) return null;
  const normal = spelled(text);
  if (!BETWEEN.test(normal.replace(TOKEN, ' '))) return null;
  let end = 0;
  let before = '';
  return [...normal.matchAll(TOKEN)].map(({ 0: word, index }) => {
    const gap = normal.slice(end, index);
    const isChinese = isHan(word) && isHan(before);
    end = index + word.length;
    before = word;
    return {
      text: word,
      isParted: gap !== '' || !isChinese,
      isMarked: isChinese ? gap !== '' : !/^(?:[^\S\n]*|-)$/.test(gap),
    };
  });
};

/** All that a whole text can say by the grammar, each reading as a bit mask; empty where a word of it is no part of any phrase. */
export const readings = (text: string, grammar: Grammar): ReadonlySet<number> => {
  const words = wordsOf(text);
  if (words === null || words.length === 0) return new Set();
  const reached = Array.from({ length: words.length + 1 }, () => new Set<number>());
  reached[0]!.add(0);
  for (const [at, { text: first, isParted }] of words.entries()) {
    if (reached[at]!.size === 0) continue;
    for (const { tokens, says: adds, place } of grammar.get(first) ?? []) {
      const end = at + tokens.length;
      const isThere = tokens.every(
        (token, i) => words[at + i]?.text === token && (i === 0 || !words[at + i]!.isMarked),
      );
      const isInPlace = place === undefined || (isParted && (place === 'lead' || (words[end]?.isParted ?? true)));
      if (isThere && isInPlace) for (const said of reached[at]!) reached[end]!.add(said | adds);
    }
  }
  return reached[words.length]!;
};

const PARTS: readonly Part[] = ['yes', 'act', 'go_on', 'always', 'ask_no_more', 'no', 'stop', 'modal', 'task'];

/** The bit of each part; politeness says nothing. */
const bit = (part: Part): number => (part === 'around' ? 0 : 1 << PARTS.indexOf(part));

const maskOf = (parts: Part[]): number => parts.reduce((mask, part) => mask | bit(part), 0);

const GRAMMAR = grammarOf(VOCABULARY.map(({ part, text, place }) => ({ text, says: bit(part), place })));

const asking = ASKS_FOR_YES.map((text) => ` ${tokensOf(text).join(' ')} `);

/** True for one reading at least of the whole text that says one of `some`, and nothing beyond these and `also`. */
const says = (text: string, some: Part[], also: Part[] = []): boolean => {
  const wanted = maskOf(some);
  const allowed = wanted | maskOf(also);
  const found = [...readings(text, GRAMMAR)].filter((said) => (said & wanted) !== 0 && (said & ~allowed) === 0);
  if (!found.some((said) => (said & bit('modal')) === 0 || (said & maskOf(['act', 'go_on'])) !== 0)) return false;
  const words = ` ${tokensOf(text).join(' ')} `;
  return !asking.some((phrase) => words.includes(phrase));
};

/** True for a text that trails off, as who hesitates writes: 嗯… is "hmm", and no yes. */
const trailsOff = (text: string): boolean => /…|\.{2}|。{2}/u.test(text.normalize('NFKC'));

/** True for a whole text that says yes, to an action above all (SPEC 3); never for a part of one, a question, or "continue" alone. */
export const isYes = (text: string): boolean => !trailsOff(text) && says(text, ['yes', 'act'], ['go_on', 'modal']);

/** True for a whole text that says yes, and that the same need not be asked again. */
export const isLastingYes = (text: string): boolean =>
  !trailsOff(text) &&
  (says(text, ['always'], ['ask_no_more', 'yes', 'act', 'modal']) ||
    (says(text, ['ask_no_more'], ['yes', 'act', 'modal']) && !says(text, ['ask_no_more'])));

/** True for a whole text that says no (SPEC 3). "Don't stop" does not. */
export const isNo = (text: string): boolean => says(text, ['no']) || says(text, ['stop']);

/** True for a whole input that asks to resume the paused task (SPEC 2.6); never for a part of one. */
export const isContinuePhrase = (input: string): boolean => says(input, ['go_on'], ['yes', 'modal', 'task']);

/** True for a whole input that agrees to a plan: "Shall I go on?" is also answered by "continue" (SPEC 3, confirm_plan). */
export const agreesToPlan = (input: string): boolean => isYes(input) || isContinuePhrase(input);
