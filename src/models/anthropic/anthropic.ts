import { z } from 'zod';
import { tokenCount } from '../../../contracts/usage.ts';
import { idleMsUnder } from '../limited-fetch.ts';
import type { AnswerFault, Model, ModelReply } from '../port.ts';
import { promptFor } from '../prompts/prompt.ts';
import { type PromptPart, promptTexts, textOf } from '../prompts/prompt-text.ts';
import { createRetryingModel, type RetryOptions } from '../retry.ts';
import { NoAnswer, type Refusal } from '../verdict.ts';
import { type AnthropicEndpoint, createMessagesApi, MessagesApiError } from './messages-api.ts';

/** Longest answer asked for, in tokens: as long as a response may be, and few enough to be sent unstreamed. */
export const ANSWER_TOKENS_MAX = 16_000;

/** A model behind the messages API. */
export interface AnthropicModelOptions extends AnthropicEndpoint, Omit<RetryOptions, 'name' | 'provider'> {
  /** The model's name on the server, such as `claude-…`. */
  model: string;
}

/** A text as the API takes it, with a mark where its cache should keep what comes before. */
interface TextBlock {
  type: 'text';
  text: string;
  cache_control?: { type: 'ephemeral' };
}

const blockOf = ({ text, isStable }: PromptPart): TextBlock => ({
  type: 'text',
  text,
  ...(isStable && { cache_control: { type: 'ephemeral' } }),
});

const contentOf = (parts: readonly PromptPart[], withMarks: boolean): string | TextBlock[] =>
  withMarks && parts.some(({ isStable }) => isStable) ? parts.map(blockOf) : textOf(parts);

/** A model behind the messages API, Anthropic's or another's (SPEC 9), with the retries of `createRetryingModel`. */
export const createAnthropicModel = (options: AnthropicModelOptions): Model => {
  const { model, apiKey, baseURL, idleMs = idleMsUnder(options.timeoutMs), ...retrying } = options;
  const post = createMessagesApi({ apiKey, baseURL, idleMs });
  return createRetryingModel({
    ...retrying,
    name: `anthropic:${model}`,
    provider: {
      endpoint: {
        settings: { model: 'TRIPACT_MODEL', key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
        apiKey: apiKey || null,
        urlEnd: 'none',
      },
      call: async (request, { dropObservations, schema, withMarks }, signal, onSent) => {
        const asked = promptFor(request, dropObservations);
        onSent({ prompt: promptTexts(asked), structured_output: schema !== null });
        const body = {
          model,
          max_tokens: ANSWER_TOKENS_MAX,
          system: contentOf(asked.system, withMarks),
          ...(schema !== null && { output_config: { format: { type: 'json_schema', schema } } }),
          messages: asked.messages.map(({ role, content }) => ({ role, content: contentOf(content, withMarks) })),
        };
        return readMessage(await post(body, signal));
      },
      faultOf,
    },
  });
};

/** Undici's own word for a request that can not be sent, such as one to no URL, is `TypeError` or `InvalidArgumentError`. */
const faultOf = (error: unknown): Refusal | 'connection' | null => {
  if (error instanceof MessagesApiError) return error.refusal;
  return error instanceof TypeError || (error as Error).name === 'InvalidArgumentError' ? null : 'connection';
};

/** Servers leave counts out, or null: a missing one is zero. */
const tokens = z.number().transform(tokenCount).catch(0);

/** The fields of a message that are needed, and no more, so that servers which only resemble the API are read too. */
const WireMessage = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  stop_reason: z.string().nullish(),
  usage: z
    .object({
      input_tokens: tokens,
      cache_creation_input_tokens: tokens,
      cache_read_input_tokens: tokens,
      output_tokens: tokens,
    })
    .nullish()
    .catch(null),
});

/** Reads a response into the model's reply. Never parses the answer's text and never runs a tool. Throws `NoAnswer` when it is no message. */
const readMessage = (json: unknown): ModelReply => {
  const message = WireMessage.safeParse(json);
  if (!message.success) throw new NoAnswer('the server answered 200 with something that is no message');
  const { content, usage } = message.data;
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  return {
    text,
    fault: answerFaultOf(message.data, text),
    usage: {
      input_tokens: usage?.input_tokens ?? 0,
      output_tokens: usage?.output_tokens ?? 0,
      ...(usage?.cache_creation_input_tokens && { cache_written_tokens: usage.cache_creation_input_tokens }),
      ...(usage?.cache_read_input_tokens && { cache_read_tokens: usage.cache_read_input_tokens }),
    },
  };
};

const answerFaultOf = ({ content, stop_reason }: z.infer<typeof WireMessage>, text: string): AnswerFault => {
  if (stop_reason === 'refusal') return 'refused';
  // Server and MCP tools have block types of their own, which end alike.
  if (stop_reason === 'tool_use' || content.some((block) => block.type.endsWith('tool_use'))) return 'tool_use';
  if (stop_reason === 'max_tokens' || stop_reason === 'model_context_window_exceeded') return 'truncated';
  return text.trim() === '' ? 'empty' : 'none';
};
