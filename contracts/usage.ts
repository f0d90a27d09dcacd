import { z } from 'zod';

const tokens = z.number().int().min(0);

/** Tokens of one model call. `input_tokens` are those that no cache had; what the provider's cache took or gave is apart. */
export const CallUsage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_written_tokens: tokens.optional(),
  cache_read_tokens: tokens.optional(),
});
export type CallUsage = z.infer<typeof CallUsage>;

/** Tokens of all model calls of a task. */
export const Usage = CallUsage.required();
export type Usage = z.infer<typeof Usage>;

/** All tokens of a usage, which is what a token budget counts (SPEC 4). */
export const totalTokens = ({ input_tokens, output_tokens, cache_written_tokens, cache_read_tokens }: Usage): number =>
  input_tokens + output_tokens + cache_written_tokens + cache_read_tokens;
