import { anthropicMarks, openAiMarks } from '../asking/cache-marks.ts';
import type { CallForm } from '../asking/retry.ts';

/** Options of a call or of a part of its prompt, by provider name. */
type Options = Record<string, Record<string, string | boolean | Record<string, string>>>;

/** The cache settings sent to a provider (SPEC 7). */
export interface Dialect {
  /** The cache mark for a piece of the prompt; empty: the provider has none. */
  mark: Options;
  /** The positions of the pieces to mark. */
  marksOf(parts: readonly { readonly text: string; readonly isStable?: true }[]): ReadonlySet<number>;
  /** Options of the call. */
  options: Options;
}

const NO_MARKS: Dialect = { mark: {}, marksOf: () => new Set(), options: {} };

/** OpenAI models from 5.6 on, whose cache is written and read at marks. */
const MARKED_GPT = /^gpt-(5\.([6-9]|\d\d)|[6-9]|\d\d)/;

/**
 * How a model's cache is used: Anthropic and OpenAI from 5.6 on by marks, earlier OpenAI models by a key that leads to
 * the same machine, other models automatically.
 */
export const dialectOf = (
  { provider, modelId }: { provider: string; modelId: string },
  { withMarks, cacheKey }: CallForm,
): Dialect => {
  if (provider.includes('anthropic'))
    return { mark: { anthropic: { cacheControl: { type: 'ephemeral' } } }, marksOf: anthropicMarks, options: {} };
  if (!provider.startsWith('openai.') || !withMarks) return NO_MARKS;
  if (provider !== 'openai.responses' || !MARKED_GPT.test(modelId))
    return { ...NO_MARKS, options: { openai: { promptCacheKey: cacheKey } } };
  return {
    mark: { openai: { promptCacheBreakpoint: { mode: 'explicit' } } },
    marksOf: openAiMarks,
    options: { openai: { promptCacheOptions: { mode: 'explicit' } } },
  };
};
