import type { PromptPart } from '../prompt/prompt-text.ts';

/** Marks that Anthropic takes in the user's message: 4 in all, of which the system prompt has one. */
const ANTHROPIC_MARKS = 3;

/** Blocks back from a mark, with its own, in which Anthropic looks for what it has. */
const ANTHROPIC_BLOCKS_BACK = 20;

/** Marks of OpenAI that are looked at: the first 2 and the latest 50 of a request. It reads at marks alone, so those of earlier prompts have to stay. */
const OPENAI_MARKS = 50;

const lastStable = (parts: readonly PromptPart[]): number => parts.findLastIndex(({ isStable }) => isStable);

/** Where Anthropic's cache is marked: behind all that is stable, and so far back before that a message with many calls leaves no gap. */
export const anthropicMarks = (parts: readonly PromptPart[]): ReadonlySet<number> => {
  const last = lastStable(parts);
  const marks = Array.from({ length: ANTHROPIC_MARKS }, (_, i) => last - i * ANTHROPIC_BLOCKS_BACK);
  return new Set(marks.filter((at) => at >= 0));
};

/** Where OpenAI's cache is marked: behind each of the latest stable pieces. */
export const openAiMarks = (parts: readonly PromptPart[]): ReadonlySet<number> => {
  const last = lastStable(parts);
  return new Set(Array.from({ length: Math.min(last + 1, OPENAI_MARKS) }, (_, i) => last - i));
};
