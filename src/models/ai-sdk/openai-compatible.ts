import type { LanguageModel } from 'ai';
import { madeOnce } from '../../lib/once.ts';
import { createLimitedFetch, idleMsUnder } from '../limited-fetch.ts';
import type { Model } from '../port.ts';
import { createRetryingModel, type RetryOptions } from '../retry.ts';
import { createAiSdkProvider } from './provider.ts';

/** A server that speaks `/chat/completions`. */
export interface OpenAiCompatibleOptions extends Omit<RetryOptions, 'name' | 'provider'> {
  /** The model's name on the server. */
  model: string;
  /** `TRIPACT_OPENAI_BASE_URL`: where `/chat/completions` begins, mostly with `/v1` at its end. */
  baseURL: string;
  /** `OPENAI_API_KEY`; without one no credential is sent, as local servers have it. */
  apiKey?: string;
  /** Longest silence inside a response, in milliseconds. */
  idleMs?: number;
}

/** A model behind `/chat/completions`, asked through the AI SDK, whose packages are loaded at the first call. */
export const createOpenAiCompatibleModel = (options: OpenAiCompatibleOptions): Model => {
  const { model, baseURL, apiKey, idleMs = idleMsUnder(options.timeoutMs), ...retrying } = options;
  const loaded = madeOnce(async (): Promise<LanguageModel> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      ...(apiKey !== undefined && { apiKey }),
      supportsStructuredOutputs: true,
      fetch: createLimitedFetch(idleMs),
    })(model);
  });
  const provider = createAiSdkProvider(
    loaded,
    {},
    {
      settings: { model: 'TRIPACT_MODEL', key: 'OPENAI_API_KEY', url: 'TRIPACT_OPENAI_BASE_URL' },
      apiKey: apiKey ?? null,
      urlEnd: 'v1',
    },
  );
  return createRetryingModel({ ...retrying, name: `openai-compatible:${model}`, provider });
};
