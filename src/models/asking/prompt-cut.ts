import type { SentPrompt } from '../../../contracts/model-call.ts';
import { PROMPT_CUT } from '../../../contracts/model-fault.ts';

/** A model answered a prompt that it saw only in part: its server silently cut it to fit. The answer is worthless. */
export class PromptCut extends Error {
  override name = 'PromptCut';

  constructor(counted: number, least: number) {
    super(`${PROMPT_CUT}: it read ${counted} tokens of ${least} at least`);
  }
}

/** A word, which any tokenizer turns into at least one token, or a letter of a script without spaces. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]+|\p{L}+|\p{N}+/gu;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Letters of such a script in one token, on average, at most. */
const LETTERS_A_TOKEN = 3;

/** The least number of tokens in a text, with any tokenizer. */
const leastTokens = (text: string): number => {
  let tokens = 0;
  for (const [word] of text.matchAll(WORD)) tokens += NO_SPACES.test(word) ? word.length / LETTERS_A_TOKEN : 1;
  return Math.floor(tokens);
};

/** The share of the least token count below which the prompt was cut: some tokens span two words. */
const PART_COUNTED = 0.85;

/** Throws `PromptCut` if a server counts far fewer tokens than it was sent. Does nothing if it counts none. */
export const checkCount = ({ tools = [], system, messages }: SentPrompt, counted: number): void => {
  if (counted === 0) return;
  // Servers show a model only some of the tools' schemas, so they are not counted.
  const described = tools.map(({ name, description }) => `${name} ${description}`);
  const least = leastTokens([...described, system, ...messages.map(({ content }) => content)].join('\n'));
  if (counted < least * PART_COUNTED) throw new PromptCut(counted, least);
};
