/** Longest text that can be a continue phrase, in characters: several times the longest that anybody writes. */
const PHRASE_CHARS_MAX = 200;

/** What asks to go on. */
const CORES = [
  'continue',
  'resume',
  'go on',
  'go ahead',
  'carry on',
  'keep going',
  'proceed',
  '继续',
  '接着',
  '恢复',
  '往下',
];

/** What may stand around it, and says nothing more. */
const FILLERS = [
  ...['please', 'ok', 'okay', 'yes', 'just', 'now', 'then', 'it', 'with it', 'the task', 'with the task'],
  ...[
    '请',
    '麻烦',
    '好的',
    '好',
    '那',
    '那就',
    '吧',
    '啊',
    '一下',
    '做',
    '做吧',
    '执行',
    '任务',
    '上次的任务',
    '刚才的任务',
  ],
];

/** A word in letters of the Latin script, or one character of any other script: what phrases are made of. */
const TOKEN = /[a-z0-9'_-]+|\p{L}/gu;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

const phrases = [
  ...CORES.map((text) => ({ tokens: tokensOf(text), isCore: true })),
  ...FILLERS.map((text) => ({ tokens: tokensOf(text), isCore: false })),
];

const standsAt = (tokens: string[], at: number, phrase: string[]): boolean =>
  phrase.every((token, i) => tokens[at + i] === token);

/**
 * True for a whole input that asks to resume the paused task (SPEC 2.6): a core with nothing but fillers and punctuation around
 * it, in any case. Never for a part of an input: every word of it must be one of the two.
 */
export const isContinuePhrase = (input: string): boolean => {
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
    for (const { tokens: phrase, isCore } of phrases) {
      if (!standsAt(tokens, at, phrase)) continue;
      const end = at + phrase.length;
      if (isCore || reached[at] === 'with core') reached[end] = 'with core';
      else if (reached[end] === 'no') reached[end] = 'without core';
    }
  }
  return reached[tokens.length] === 'with core';
};
