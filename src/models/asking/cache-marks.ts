/** A piece of a prompt that may be marked. */
type Piece = { readonly text: string; readonly isStable?: true };

/** Marks that Anthropic accepts in the user's message: 4 in all, one of them in the system prompt. */
const ANTHROPIC_MARKS = 3;

/** How many blocks back from a mark, including its own, Anthropic searches for a cached prefix. */
const ANTHROPIC_BLOCKS_BACK = 20;

/**
 * Marks of a request that OpenAI uses: the first 2 and the latest 50. It reads the cache only at marks, so marks of
 * earlier prompts have to stay.
 */
const OPENAI_MARKS = 50;

const lastStable = (parts: readonly Piece[]): number => parts.findLastIndex(({ isStable }) => isStable);

/**
 * Where Anthropic's cache is marked: after all stable pieces, and before that at distances that leave no gap in a
 * message with many calls.
 */
export const anthropicMarks = (parts: readonly Piece[]): ReadonlySet<number> => {
  const last = lastStable(parts);
  const marks = Array.from({ length: ANTHROPIC_MARKS }, (_, i) => last - i * ANTHROPIC_BLOCKS_BACK);
  return new Set(marks.filter((at) => at >= 0));
};

/** Where OpenAI's cache is marked: after each of the latest stable pieces. */
export const openAiMarks = (parts: readonly Piece[]): ReadonlySet<number> => {
  const last = lastStable(parts);
  return new Set(Array.from({ length: Math.min(last + 1, OPENAI_MARKS) }, (_, i) => last - i));
};
