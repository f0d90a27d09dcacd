import type { SentPrompt } from '../../../contracts/model-call.ts';
import { PROMPT_CUT } from '../../../contracts/model-fault.ts';

/** A model answered a prompt that it was shown a part of: its server cut it to what fits, and did not say so. Its answer is worth nothing. */
export class PromptCut extends Error {
  override name = 'PromptCut';

  constructor(counted: number, least: number) {
    super(`${PROMPT_CUT}: it read ${counted} tokens of ${least} at least`);
  }
}

/** A word, as every tokenizer makes a token of at least, and a letter of a script without spaces. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|\p{L}+|\p{N}+/gu;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Letters of such a script that one token has at most, on average. */
const LETTERS_A_TOKEN = 3;

/** The tokens that a text has at least, with any tokenizer. */
const leastTokens = (text: string): number => {
  let tokens = 0;
  for (const [word] of text.matchAll(WORD)) tokens += NO_SPACES.test(word) ? word.length / LETTERS_A_TOKEN : 1;
  return Math.floor(tokens);
};

/** The part of the least tokens below which a count means a cut: some tokens span two words. */
const PART_COUNTED = 0.85;

/** Throws `PromptCut` where a server counts far fewer tokens than it was sent. A server that counts none says nothing. */
export const checkCount = ({ tools = [], system, messages }: SentPrompt, counted: number): void => {
  if (counted === 0) return;
  // Of the tools' schemas servers show a model what they know.
  const described = tools.map(({ name, description }) => `${name} ${description}`);
  const least = leastTokens([...described, system, ...messages.map(({ content }) => content)].join('\n'));
  if (counted < least * PART_COUNTED) throw new PromptCut(counted, least);
};
