import { madeOnce } from '../../lib/once.ts';
import { createLimitedFetch, idleMsUnder } from '../asking/limited-fetch.ts';
import { createRetryingModel, mayCutPrompts, type ServerModelOptions } from '../asking/retry.ts';
import type { Model } from '../port.ts';
import { createAiSdkProvider, type LanguageModelV4 } from './provider.ts';

/** The address of OpenAI's API. It is explicit because OpenAI's package would read another one from the environment. */
const OPENAI_URL = 'https://api.openai.com/v1';

/**
 * A model of OpenAI, or of a server with the same `/responses` at `baseURL`, through the AI SDK, whose packages are
 * loaded at the first call.
 */
export const createOpenAiModel = (options: ServerModelOptions & { apiKey: string }): Model => {
  const {
    model,
    baseURL = OPENAI_URL,
    apiKey,
    takesFiles = [],
    idleMs = idleMsUnder(options.timeoutMs),
    ...retrying
  } = options;
  const loaded = madeOnce(async (): Promise<LanguageModelV4> => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ baseURL, apiKey, fetch: createLimitedFetch(idleMs) }).responses(model);
  });
  const provider = createAiSdkProvider(
    loaded,
    // Responses are not stored there.
    { takesFiles, providerOptions: { openai: { store: false } } },
    {
      settings: { model: 'TRIPACT_MODEL', key: 'OPENAI_API_KEY', url: 'TRIPACT_OPENAI_BASE_URL' },
      apiKey,
      urlEnd: 'v1',
    },
  );
  return createRetryingModel({ ...retrying, name: `openai:${model}`, provider });
};

/** A model of a server with `/chat/completions`. */
export interface CompatibleModelOptions extends ServerModelOptions {
  baseURL: string;
  /** The server's name in TRIPACT_MODEL; default `openai-compatible`. */
  server?: string;
  /** The environment variable that has its key. */
  keySetting?: string;
  /** True: requests state that one message may have several calls, as some servers require. */
  asksParallel?: boolean;
}

/**
 * A model of a server with `/chat/completions` below `baseURL`, through the AI SDK, whose packages are loaded at the
 * first call.
 */
export const createOpenAiCompatibleModel = (options: CompatibleModelOptions): Model => {
  const { model, baseURL, apiKey, takesFiles = [], idleMs = idleMsUnder(options.timeoutMs), ...others } = options;
  const { server = 'openai-compatible', keySetting = 'OPENAI_API_KEY', asksParallel = false, ...retrying } = others;
  const loaded = madeOnce(async (): Promise<LanguageModelV4> => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      ...(apiKey !== undefined && { apiKey }),
      supportsStructuredOutputs: true,
      includeUsage: true,
      fetch: createLimitedFetch(idleMs),
    })(model);
  });
  const provider = createAiSdkProvider(
    loaded,
    { takesFiles, ...(asksParallel && { toolOptions: { openaiCompatible: { parallel_tool_calls: true } } }) },
    {
      settings: { model: 'TRIPACT_MODEL', key: keySetting, url: 'TRIPACT_OPENAI_BASE_URL' },
      apiKey: apiKey ?? null,
      urlEnd: 'v1',
      mayCutPrompts: mayCutPrompts(baseURL) || server === 'ollama',
    },
  );
  return createRetryingModel({ ...retrying, name: `${server}:${model}`, provider });
};
