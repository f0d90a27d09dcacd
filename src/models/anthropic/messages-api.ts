import { z } from 'zod';
import { createLimitedRequest, IDLE_MS_MAX } from '../limited-fetch.ts';
import { NoAnswer, type Refusal } from '../verdict.ts';

/** The version of the API that is spoken. */
const API_VERSION = '2026-10-21';

/** Where the messages API is and how to get in. */
export interface AnthropicEndpoint {
  /** `ANTHROPIC_API_KEY`; without one no credential is sent at all, as local servers have it. */
  apiKey?: string | undefined;
  /** `ANTHROPIC_BASE_URL`, without `/v1`; without one it is Anthropic's own. */
  baseURL?: string | undefined;
  /** Longest silence inside a response, in milliseconds. */
  idleMs?: number;
}

/** A response other than 2xx. */
export class MessagesApiError extends Error {
  override name = 'MessagesApiError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`${refusal.status} ${refusal.said}`);
    this.refusal = refusal;
  }
}

/** What is read of an error's body; servers that resemble the API may send anything. */
const ErrorBody = z.object({ error: z.object({ message: z.string() }) });

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Makes the function that posts a request to `/v1/messages` and gives the JSON of its response. It never tries again. Throws `MessagesApiError`, `NoAnswer`
 * for a response that is no JSON, and what kept the request from being sent.
 */
export const createMessagesApi = ({
  apiKey,
  baseURL = 'https://api.anthropic.com',
  idleMs = IDLE_MS_MAX,
}: AnthropicEndpoint) => {
  const send = createLimitedRequest(idleMs);
  const url = `${baseURL.replace(/\/$/, '')}/v1/messages`;
  const credential = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const headers = { 'content-type': 'application/json', 'anthropic-version': API_VERSION, ...credential };
  return async (body: object, signal: AbortSignal): Promise<unknown> => {
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal };
    const { status, text, headers: received } = await send(url, request);
    const json = jsonOf(text);
    if (status >= 300) {
      const said = ErrorBody.safeParse(json).data?.error.message ?? (text || 'no reason');
      throw new MessagesApiError({ status, said, body: text, retryAfter: received['retry-after'] });
    }
    if (json !== undefined) return json;
    if (text.trim() === '') throw new NoAnswer('the server answered 200 with an empty body');
    throw new NoAnswer(
      `the server answered 200 with ${text.trimStart().startsWith('<') ? 'an HTML page' : 'broken JSON'}`,
    );
  };
};
