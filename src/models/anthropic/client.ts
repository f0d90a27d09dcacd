import Anthropic from '@anthropic-ai/sdk';
import { createLimitedFetch, IDLE_MS_MAX } from '../limited-fetch.ts';

/** Where the messages API is and how to get in. */
export interface AnthropicEndpoint {
  /** `ANTHROPIC_API_KEY`; without one no credential is sent at all, as local servers have it. */
  apiKey?: string;
  /** `ANTHROPIC_BASE_URL`, without `/v1`; without one it is Anthropic's own. */
  baseURL?: string;
  /** Longest silence inside a response, in milliseconds; `IDLE_MS_MAX` by default. */
  idleMs?: number;
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
