import type { LanguageModel } from 'ai';
import { madeOnce } from '../../lib/once.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { createLimitedFetch, idleMsUnder } from '../limited-fetch.ts';
import type { Model, ModelService } from '../port.ts';
import { createRetryingModel, type RetryOptions } from '../retry.ts';
import { type CallSettings, createAiSdkProvider } from './provider.ts';

/** How a model of the AI SDK is asked; whatever is left out is the provider's default. */
export interface AiSdkModelOptions extends CallSettings {
  /** How logs, usage and `prices` name it; by default the provider's name and the model's, such as `openai:gpt-5`. */
  name?: string;
}

/** How long an answer may take outside a service, in milliseconds: as TRIPACT_MODEL_TIMEOUT_MS is by default. */
const TIMEOUT_MS = 120_000;

const nameOf = (model: LanguageModel): string =>
  typeof model === 'string' ? model : `${model.provider.split('.')[0]}:${model.modelId}`;

/**
 * A model of any provider of the AI SDK, for `model` in `tripact.config.ts`: `aiSdkModel(openai('gpt-5'))`. It has the retries, the
 * deadline and the error messages of the built-in models; the SDK never retries by itself. Throws when the package `ai` is not installed.
 */
export const aiSdkModel = (languageModel: LanguageModel, options: AiSdkModelOptions = {}): Model => {
  const missing = missingPackages(['ai']);
  if (missing !== null) throw new Error(missing);
  const { name = nameOf(languageModel), ...settings } = options;
  const provider = createAiSdkProvider(() => languageModel, settings, { settings: null, apiKey: null, urlEnd: null });
  const forService = (service: ModelService): Model => createRetryingModel({ ...service, name, provider });
  return { ...forService({ timeoutMs: TIMEOUT_MS, log: { warn: () => {} } }), forService };
};

/**
 * A `fetch` for a provider's `fetch` option: it gives up on a response that falls silent or never ends, so that another try fits
 * into the deadline, and follows no redirect. For models that are not streamed, as `aiSdkModel` asks them.
 */
export const watchedFetch = (): typeof fetch => createLimitedFetch(idleMsUnder(TIMEOUT_MS));

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
  const settings = { model: 'TRIPACT_MODEL', key: 'OPENAI_API_KEY', url: 'TRIPACT_OPENAI_BASE_URL' };
  const provider = createAiSdkProvider(loaded, {}, { settings, apiKey: apiKey ?? null, urlEnd: 'v1' });
  return createRetryingModel({ ...retrying, name: `openai-compatible:${model}`, provider });
};
