import { z } from 'zod';
import { Cost } from './cost.ts';

const tokens = z.number().int().min(0);

/** Longest name of a model that is kept, in characters. */
export const MODEL_NAME_CHARS_MAX = 250;

/** Most tokens of one kind that a call may be said to have used: far above what any model reads or writes, and few enough that the sums of years are exact. */
const CALL_TOKENS_MAX = 1_000_000_000;

/** A count that a model's server gave, or none: what is no count, or none that a call can have, says nothing. */
export const tokenCount = (count: unknown): number =>
  Number.isInteger(count) && (count as number) > 0 && (count as number) <= CALL_TOKENS_MAX ? (count as number) : 0;

/** Tokens, by kind. `input_tokens` are those that no cache had; what the provider's cache took or gave is apart. */
export const Usage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_written_tokens: tokens,
  cache_read_tokens: tokens,
});
export type Usage = z.infer<typeof Usage>;

/** Tokens of one model call, with the model that used them; `cost` is by the price list of the time, and absent where that has no price for it. */
export const CallUsage = Usage.partial({ cache_written_tokens: true, cache_read_tokens: true }).extend({
  model: z.string().max(MODEL_NAME_CHARS_MAX).optional(),
  cost: Cost.optional(),
});
export type CallUsage = z.infer<typeof CallUsage>;

/** No tokens at all. */
export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_written_tokens: 0, cache_read_tokens: 0 };

/** The tokens of both, by kind. */
export const addUsage = (usage: Usage, more: CallUsage): Usage => ({
  input_tokens: usage.input_tokens + more.input_tokens,
  output_tokens: usage.output_tokens + more.output_tokens,
  cache_written_tokens: usage.cache_written_tokens + (more.cache_written_tokens ?? 0),
  cache_read_tokens: usage.cache_read_tokens + (more.cache_read_tokens ?? 0),
});

/** The tokens of what was asked, those that the provider's cache took or gave too. */
export const promptTokens = ({ input_tokens, cache_written_tokens = 0, cache_read_tokens = 0 }: CallUsage): number =>
  input_tokens + cache_written_tokens + cache_read_tokens;

/** All tokens of a usage, which is what a token budget counts (SPEC 4). */
export const totalTokens = (usage: CallUsage): number => promptTokens(usage) + usage.output_tokens;
