import type { MessageCreateParamsNonStreaming, TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type Prompt, type PromptPart, textOf } from '../prompts/prompt-text.ts';

/** Longest answer asked for, in tokens: as long as `RESPONSE_CHARS_MAX` takes, and few enough to be sent unstreamed. */
export const ANSWER_TOKENS_MAX = 16_000;

const blockOf = ({ text, isStable }: PromptPart): TextBlockParam => ({
  type: 'text',
  text,
  ...(isStable && { cache_control: { type: 'ephemeral' } }),
});

const content = (parts: readonly PromptPart[], withMarks: boolean): string | TextBlockParam[] =>
  withMarks && parts.some(({ isStable }) => isStable) ? parts.map(blockOf) : textOf(parts);

/** What a server can be spared of a request, when it refuses it. */
export interface RequestForm {
  /** Marks for the prompt cache, which need content in blocks; without them every content is one string. */
  withMarks: boolean;
  /** The contract's schema, for structured output. */
  schema: Record<string, unknown> | null;
}

/** The body of a call of the messages API. A prompt's stable pieces are marked for the provider's cache (SPEC 7). */
export const requestBody = (
  model: string,
  { system, messages }: Prompt,
  { withMarks, schema }: RequestForm,
): MessageCreateParamsNonStreaming => ({
  model,
  max_tokens: ANSWER_TOKENS_MAX,
  system: content(system, withMarks),
  ...(schema !== null && { output_config: { format: { type: 'json_schema', schema } } }),
  messages: messages.map(({ role, content: parts }) => ({ role, content: content(parts, withMarks) })),
});
