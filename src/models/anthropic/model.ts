import type Anthropic from '@anthropic-ai/sdk';
import { contractSchema } from '../contract-schema.ts';
import type { Model } from '../port.ts';
import type { PromptFor } from '../prompts/prompt.ts';
import { afterLong, promptTexts } from '../prompts/prompt-text.ts';
import type { Provider } from '../retry/provider.ts';
import { createRetryingModel, type RetryingModelOptions } from '../retry/retrying-model.ts';
import { classifyError, endpointOf } from './classify-error.ts';
import { readMessage } from './read-message.ts';
import { createRequestBody } from './request-body.ts';

export interface AnthropicModelOptions extends Omit<RetryingModelOptions, 'name' | 'provider'> {
  /** The model's name on the server, such as `claude-…`. */
  model: string;
  client: Anthropic;
  prompt: PromptFor;
}

/** What a body that is JSON already is said to be. */
const JSON_BODY = { 'content-type': 'application/json' };

/** A model behind the messages API, Anthropic's or another's (SPEC 9), with the retries of `createRetryingModel`. */
export const createAnthropicModel = ({ model, client, prompt, ...options }: AnthropicModelOptions): Model => {
  const endpoint = endpointOf(client);
  const bodyOf = createRequestBody(model);
  const provider: Provider = {
    endpoint,
    call: async (request, { dropObservations, withSchema, withMarks }, signal, onSent) => {
      const schema = withSchema ? contractSchema(request.contract) : null;
      const asked = prompt(request, { dropObservations });
      const texts = promptTexts(asked);
      onSent({ prompt: texts, structured_output: withSchema });
      await afterLong(texts);
      signal.throwIfAborted();
      const body = bodyOf(asked, { withMarks, schema });
      // Not `client.messages.create`: without what that prepares for telemetry, a call costs the SDK half as much.
      const sent = { body, headers: JSON_BODY, timeout: options.timeoutMs, signal };
      const response = await client.post('/v1/messages', sent).asResponse();
      return readMessage(response, client);
    },
    classify: (error) => classifyError(error, endpoint),
  };
  return createRetryingModel({ ...options, name: `anthropic:${model}`, provider });
};
