import { INPUT_BYTES_MAX } from '../contracts/limits.ts';

const CANCEL = ['/cancel', 'cancel task', '取消当前任务', '取消任务'];
export const YES: readonly string[] = [
  ...'yes|y|ok|okay|sure|go ahead|confirm|confirmed|looks good|do it|proceed'.split('|'),
  ...'是|是的|好|好的|可以|行|确认|同意|没问题|对|执行'.split('|'),
];
const NO = [
  ..."no|n|nope|cancel|stop|abort|no thanks|don't|do not".split('|'),
  ...'不|不要|不行|不用|不可以|否|取消|算了|不同意'.split('|'),
];

/** Longest text that can be one of the phrases, in characters: several times the longest, for spaces and punctuation. */
const PHRASE_CHARS_MAX = 200;

const THUMB_UP = /👍[\u{1F3FB}-\u{1F3FF}]?/gu;

/** The text with a word in place of each thumb up. */
export const spoken = (text: string): string =>
  text
    .replace(THUMB_UP, ' yes ')
    .trim()
    .replace(/^yes(\s+yes)+$/, 'yes');

/** The whole text, trimmed, in lower case, single-spaced, with plain apostrophes and without closing punctuation; empty for a longer one. */
const bare = (text: string): string => {
  const trimmed = spoken(text);
  if (trimmed.length > PHRASE_CHARS_MAX) return '';
  return trimmed
    .toLowerCase()
    .replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ');
};

/** True for a whole input that says "cancel the task" (SPEC 2); never for a part of one. */
export const isCancelPhrase = (input: string): boolean => CANCEL.includes(input.trim().toLowerCase());

/** True for a whole input that agrees to a plan (SPEC 3, confirm_plan). */
export const isYes = (input: string): boolean => YES.includes(bare(input));

/** True for a whole input that refuses a plan (SPEC 3, confirm_plan). */
export const isNo = (input: string): boolean => NO.includes(bare(input));

/** True when two questions are the same but for case, spacing and punctuation (SPEC 6); texts longer than an input are compared as they are. */
export const isSameQuestion = (one: string, other: string): boolean => {
  if (Math.max(one.length, other.length) > INPUT_BYTES_MAX) return one === other;
  const letters = (text: string): string => text.toLowerCase().replace(/[\p{P}\s]+/gu, '');
  return letters(one) === letters(other);
};

/** A word in letters of the Latin script, or one character of any other script: what phrases are made of. */
const TOKEN = /[a-z0-9'_-]+|\p{L}/gu;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

const standsAt = (tokens: string[], at: number, phrase: string[]): boolean =>
  phrase.every((token, i) => tokens[at + i] === token);

/** Makes a whole-phrase grammar: true for one core or several with nothing but fillers and punctuation around them, in any case. */
export const phraseGrammar = (cores: readonly string[], fillers: readonly string[]): ((input: string) => boolean) => {
  const phrases = Map.groupBy(
    [
      ...cores.map((text) => ({ tokens: tokensOf(text), isCore: true })),
      ...fillers.map((text) => ({ tokens: tokensOf(text), isCore: false })),
    ],
    ({ tokens: [first] }) => first,
  );
  return (input) => {
    const text = input.trim();
    if (text.length > PHRASE_CHARS_MAX) return false;
    const normal = text.normalize('NFKC').toLowerCase().replaceAll('’', "'");
    // Whatever is neither a word, a space nor punctuation (a number sign, an emoji, a formula) says something more.
    if (/[^\p{L}\p{N}\p{P}\s]/u.test(normal) || /[\p{N}/@]/u.test(normal)) return false;
    const tokens = tokensOf(normal);
    // For each place: whether it can be reached, and whether a core was matched before it.
    const reached: ('no' | 'without core' | 'with core')[] = Array(tokens.length + 1).fill('no');
    reached[0] = 'without core';
    for (const at of tokens.keys()) {
      if (reached[at] === 'no') continue;
      for (const { tokens: phrase, isCore } of phrases.get(tokens[at]) ?? []) {
        if (!standsAt(tokens, at, phrase)) continue;
        const end = at + phrase.length;
        if (isCore || reached[at] === 'with core') reached[end] = 'with core';
        else if (reached[end] === 'no') reached[end] = 'without core';
      }
    }
    return reached[tokens.length] === 'with core';
  };
};

const CORES = [
  ...'continue|resume|go on|go ahead|carry on|keep going|proceed'.split('|'),
  ...'继续|繼續|接着|接著|恢复|恢復|往下'.split('|'),
];

const FILLERS = [
  ...'please|pls|plz|ok|okay|yes|just|now|then|it|with it|the task|with the task'.split('|'),
  ...'where you left off|from where you left off|where we left off|from where we left off'.split('|'),
  ...'请|請|你|您|麻烦|麻煩|好的|好|那|那就|吧|啊|一下|做|做吧|执行|執行|完成|任务|任務'.split('|'),
  ...'上次的任务|上次的任務|刚才的任务|剛才的任務|从上次中断的地方|從上次中斷的地方'.split('|'),
];

/** True for a whole input that asks to resume the paused task (SPEC 2.6); never for a part of one. */
export const isContinuePhrase = phraseGrammar(CORES, FILLERS);
