import type Anthropic from '@anthropic-ai/sdk';
import { APIConnectionError, APIError } from '@anthropic-ai/sdk';
import { classifyFailure, classifyRefusal, type Endpoint, type Verdict } from '../retry/verdict.ts';

/** The endpoint of a client, as its errors name it. */
export const endpointOf = ({ apiKey }: Anthropic): Endpoint => ({
  settings: { model: 'TRIPACT_MODEL', key: 'ANTHROPIC_API_KEY', url: 'ANTHROPIC_BASE_URL' },
  apiKey,
  urlEnd: 'none',
});

/** What an error of the SDK means. */
export const classifyError = (error: unknown, endpoint: Endpoint): Verdict => {
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
