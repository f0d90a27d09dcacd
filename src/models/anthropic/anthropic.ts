import Anthropic, { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import type { TextBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { createLimitedFetch, IDLE_MS_MAX, idleMsUnder } from '../limited-fetch.ts';
import type { Model } from '../port.ts';
import type { PromptFor } from '../prompts/prompt.ts';
import { type PromptPart, promptTexts, textOf } from '../prompts/prompt-text.ts';
import { createRetryingModel, type RetryOptions } from '../retry.ts';
import type { Refusal } from '../verdict.ts';
import { readMessage } from './read-message.ts';

/** Longest answer asked for, in tokens: as long as a response may be, and few enough to be sent unstreamed. */
export const ANSWER_TOKENS_MAX = 16_000;

/** Where the messages API is and how to get in. */
export interface AnthropicEndpoint {
  /** `ANTHROPIC_API_KEY`; without one no credential is sent at all, as local servers have it. */
  apiKey?: string;
  /** `ANTHROPIC_BASE_URL`, without `/v1`; without one it is Anthropic's own. */
  baseURL?: string;
  /** Longest silence inside a response, in milliseconds. */
  idleMs?: number;
}

/** A model behind the messages API. */
export interface AnthropicModelOptions extends AnthropicEndpoint, Omit<RetryOptions, 'name' | 'provider'> {
  /** The model's name on the server, such as `claude-…`. */
  model: string;
  prompt: PromptFor;
}

/** The SDK's client for one endpoint. It never retries or logs, and looks for no credentials of its own in files or other variables. */
export const createAnthropicClient = ({ apiKey, baseURL, idleMs = IDLE_MS_MAX }: AnthropicEndpoint): Anthropic =>
  new Anthropic({
    // Some key has to be given, else the SDK searches the host's profiles for one; the null header keeps it at home.
    apiKey: apiKey || 'no-key-configured',
    defaultHeaders: apiKey ? {} : { authorization: null },
    baseURL: baseURL ?? null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: createLimitedFetch(idleMs),
  });

const blockOf = ({ text, isStable }: PromptPart): TextBlockParam => ({
  type: 'text',
  text,
  ...(isStable && { cache_control: { type: 'ephemeral' } }),
});

const contentOf = (parts: readonly PromptPart[], withMarks: boolean): string | TextBlockParam[] =>
  withMarks && parts.some(({ isStable }) => isStable) ? parts.map(blockOf) : textOf(parts);

/** A model behind the messages API, Anthropic's or another's (SPEC 9), with the retries of `createRetryingModel`. */
export const createAnthropicModel = (options: AnthropicModelOptions): Model => {
  const { model, prompt, apiKey, baseURL, idleMs = idleMsUnder(options.timeoutMs), ...retrying } = options;
  const client = createAnthropicClient({ apiKey, baseURL, idleMs });
  return createRetryingModel({
    ...retrying,
    name: `anthropic:${model}`,
    provider: {
      endpoint: {
        settings: { model: 'TRIPACT_MODEL', key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
        apiKey: client.apiKey,
        urlEnd: 'none',
      },
      call: async (request, { dropObservations, schema, withMarks }, signal, onSent) => {
        const asked = prompt(request, { dropObservations });
        onSent({ prompt: promptTexts(asked), structured_output: schema !== null });
        const body = {
          model,
          max_tokens: ANSWER_TOKENS_MAX,
          system: contentOf(asked.system, withMarks),
          ...(schema !== null && { output_config: { format: { type: 'json_schema', schema } } }),
          messages: asked.messages.map(({ role, content }) => ({ role, content: contentOf(content, withMarks) })),
        };
        // Not `client.messages.create`: servers that only resemble the API are read, too, and some stream without being asked to.
        const response = await client.post('/v1/messages', { body, signal, timeout: retrying.timeoutMs }).asResponse();
        return readMessage(response, client);
      },
      faultOf,
    },
  });
};

const faultOf = (error: unknown): Refusal | 'connection' | null => {
  if (error instanceof APIConnectionError) return 'connection';
  if (!(error instanceof APIError) || error.status === undefined) return null;
  const { status, message, apiMessage, headers, errorCode } = error;
  return {
    status,
    said: typeof apiMessage === 'string' ? apiMessage : message,
    body: message,
    retryAfter: headers?.get('retry-after'),
    isSpent: errorCode === 'enforced_spend_limit_reached',
  };
};
