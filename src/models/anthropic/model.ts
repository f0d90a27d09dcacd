import type Anthropic from '@anthropic-ai/sdk';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { contractSchema } from '../contract-schema.ts';
import type { Model } from '../port.ts';
import type { PromptFor } from '../prompts/prompt.ts';
import { promptTexts } from '../prompts/prompt-text.ts';
import { createRetryingModel, type RetryOptions } from '../retry.ts';
import { classifyFailure, classifyRefusal, type Endpoint, type Verdict } from '../verdict.ts';
import { readMessage } from './read-message.ts';
import { requestBody } from './request-body.ts';

export interface AnthropicModelOptions extends Omit<RetryOptions, 'name' | 'provider'> {
  /** The model's name on the server, such as `claude-…`. */
  model: string;
  client: Anthropic;
  prompt: PromptFor;
}

/** A model behind the messages API, Anthropic's or another's (SPEC 9), with the retries of `createRetryingModel`. */
export const createAnthropicModel = ({ model, client, prompt, ...retrying }: AnthropicModelOptions): Model => {
  const endpoint: Endpoint = {
    settings: { model: 'TRIPACT_MODEL', key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
    apiKey: client.apiKey,
    urlEnd: 'none',
  };
  return createRetryingModel({
    ...retrying,
    name: `anthropic:${model}`,
    provider: {
      endpoint,
      call: async (request, { dropObservations, withSchema, withMarks }, signal, onSent) => {
        const schema = withSchema ? contractSchema(request.contract) : null;
        const asked = prompt(request, { dropObservations });
        onSent({ prompt: promptTexts(asked), structured_output: withSchema });
        const body = requestBody(model, asked, { withMarks, schema });
        // Not `client.messages.create`: servers that only resemble the API are read, too, and some stream without being asked to.
        const response = await client.post('/v1/messages', { body, signal, timeout: retrying.timeoutMs }).asResponse();
        return readMessage(response, client);
      },
      classify: (error) => classifyError(error, endpoint),
    },
  });
};

const classifyError = (error: unknown, endpoint: Endpoint): Verdict => {
  if (!(error instanceof APIError) || error.status === undefined)
    return classifyFailure(error, error instanceof APIConnectionError, endpoint);
  const { status, message, apiMessage, headers, errorCode } = error;
  return classifyRefusal(
    {
      status,
      said: typeof apiMessage === 'string' ? apiMessage : message,
      body: message,
      retryAfter: headers?.get('retry-after') ?? null,
      isSpent: errorCode === 'enforced_spend_limit_reached',
    },
    endpoint,
  );
};
