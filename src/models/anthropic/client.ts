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

type Build = Anthropic['buildRequest'];

/**
 * The SDK's client for calls of one endpoint, which differ by their bodies alone: it makes address and headers with the first one and keeps
 * them. It has no timer and no signal of its own, for deadlines are kept by whoever calls.
 */
class EndpointClient extends Anthropic {
  readonly #fetch: typeof fetch;
  #first: ReturnType<Build> | undefined;

  constructor({ fetch, ...options }: ConstructorParameters<typeof Anthropic>[0] & { fetch: typeof globalThis.fetch }) {
    super({ fetch, ...options });
    this.#fetch = fetch;
  }

  override async buildRequest(...[options, retries]: Parameters<Build>): ReturnType<Build> {
    this.#first ??= super.buildRequest(options, retries);
    const { req, ...rest } = await this.#first;
    const body =
      options.body instanceof Uint8Array ? (options.body as Uint8Array<ArrayBuffer>) : JSON.stringify(options.body);
    return { ...rest, req: { ...req, method: 'POST', signal: options.signal ?? null, body } };
  }

  override fetchWithTimeout(...[url, init]: Parameters<Anthropic['fetchWithTimeout']>): Promise<Response> {
    return this.#fetch(url, init);
  }
}

/**
 * Makes the SDK's client for one endpoint. It never retries (the model adapter does, and logs it), never logs, looks for
 * no credentials of its own in files or other variables, and follows no redirect, which would take the key along.
 */
export function createAnthropicClient({ apiKey, baseURL, idleMs = IDLE_MS_MAX }: AnthropicEndpoint): Anthropic {
  return new EndpointClient({
    // Some key has to be given, else the SDK searches the host's profiles for one; the null header keeps it at home.
    apiKey: apiKey || 'no-key-configured',
    defaultHeaders: apiKey ? {} : { authorization: null },
    baseURL: baseURL ?? null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: createHttpFetch(idleMs),
  });
}
