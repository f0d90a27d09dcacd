import type {
  MessageCreateParamsNonStreaming,
  MessageParam,
  TextBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
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

type Body = MessageCreateParamsNonStreaming;

/** All of a body but its messages, as JSON that goes on with them. */
interface Beginning extends RequestForm {
  readonly bytes: Uint8Array;
}

const END = Buffer.from('}');

/**
 * Makes the function that writes the bodies of a model's calls of the messages API. A prompt's stable pieces are marked for the provider's
 * cache (SPEC 7). Most of a body is its system prompt: calls that share one share the bytes before the messages, too.
 */
export const createRequestBody = (model: string): ((prompt: Prompt, form: RequestForm) => Uint8Array) => {
  /** The newest of each system prompt: its form changes only once a server has refused another. */
  const beginnings = new WeakMap<Prompt['system'], Beginning>();

  const beginningOf = (system: Prompt['system'], { withMarks, schema }: RequestForm): Uint8Array => {
    const known = beginnings.get(system);
    if (known?.withMarks === withMarks && known.schema === schema) return known.bytes;
    const fixed: Omit<Body, 'messages'> = {
      model,
      max_tokens: ANSWER_TOKENS_MAX,
      system: content(system, withMarks),
      ...(schema !== null && { output_config: { format: { type: 'json_schema', schema } } }),
    };
    const bytes = Buffer.from(`${JSON.stringify(fixed).slice(0, -1)},"messages":`);
    beginnings.set(system, { withMarks, schema, bytes });
    return bytes;
  };

  return ({ system, messages }, form) => {
    const sent: Body['messages'] = messages.map(
      ({ role, content: parts }): MessageParam => ({ role, content: content(parts, form.withMarks) }),
    );
    return Buffer.concat([beginningOf(system, form), Buffer.from(JSON.stringify(sent)), END]);
  };
};
