/** Longest text that can be a phrase, in characters: several times the longest that anybody writes. */
const PHRASE_CHARS_MAX = 200;

/** A word in letters of the Latin script, or one character of any other script: what phrases are made of. */
const TOKEN = /[a-z0-9'_-]+|\p{L}/gu;

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

const standsAt = (tokens: string[], at: number, phrase: string[]): boolean =>
  phrase.every((token, i) => tokens[at + i] === token);

/**
 * Makes a whole-phrase grammar: true for a text that is one core or several, in any case, with nothing but fillers and punctuation
 * around them. Never true for a part of a text: every word of it must be one of the two.
 */
export const phraseGrammar = (cores: readonly string[], fillers: readonly string[]): ((input: string) => boolean) => {
  const phrases = [
    ...cores.map((text) => ({ tokens: tokensOf(text), isCore: true })),
    ...fillers.map((text) => ({ tokens: tokensOf(text), isCore: false })),
  ];
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
      for (const { tokens: phrase, isCore } of phrases) {
        if (!standsAt(tokens, at, phrase)) continue;
        const end = at + phrase.length;
        if (isCore || reached[at] === 'with core') reached[end] = 'with core';
        else if (reached[end] === 'no') reached[end] = 'without core';
      }
    }
    return reached[tokens.length] === 'with core';
  };
};
