import Anthropic from '@anthropic-ai/sdk';
import { createHttpFetch } from '../http/http-fetch.ts';
import { IDLE_MS_MAX } from '../http/limits.ts';

/** Where the messages API is and how to get in. */
export interface AnthropicEndpoint {
  /** `ANTHROPIC_API_KEY`; without one no credential is sent at all, as local servers have it. */
  apiKey?: string;
  /** `ANTHROPIC_BASE_URL`, without `/v1`; without one it is Anthropic's own. */
  baseURL?: string;
  /** Longest silence inside a response, in milliseconds; `IDLE_MS_MAX` by default. */
  idleMs?: number;
}

/**
 * Makes the SDK's client for one endpoint. It never retries (the model adapter does, and logs it), never logs, looks for
 * no credentials of its own in files or other variables, and follows no redirect, which would take the key along.
 */
export function createAnthropicClient({ apiKey, baseURL, idleMs = IDLE_MS_MAX }: AnthropicEndpoint): Anthropic {
  return new Anthropic({
    // Some key has to be given, else the SDK searches the host's profiles for one; the null header keeps it at home.
    apiKey: apiKey || 'no-key-configured',
    defaultHeaders: apiKey ? {} : { authorization: null },
    baseURL: baseURL ?? null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: createHttpFetch(idleMs),
  });
}
