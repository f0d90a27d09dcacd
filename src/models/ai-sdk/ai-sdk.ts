import type { LanguageModel } from 'ai';
import { madeOnce } from '../../lib/once.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { createLimitedFetch, idleMsUnder } from '../asking/limited-fetch.ts';
import { createRetryingModel } from '../asking/retry.ts';
import type { Endpoint } from '../asking/verdict.ts';
import type { Model, ModelService } from '../port.ts';
import type { Voice } from '../prompt/rules.ts';
import { createAiSdkProvider, type LanguageModelV4 } from './provider.ts';

/** How a model of the AI SDK is asked; whatever is left out is the provider's default. */
export interface AiSdkModelOptions {
  maxOutputTokens?: number;
  temperature?: number;
  /** False: the contract's schema is not sent in the text voice. */
  structuredOutput?: boolean;
  /** How it answers: by tool calls, or by text for a model that has none. Default `native`. */
  voice?: Voice;
  /** How logs, usage and `prices` name it; by default the provider's name and the model's, such as `openai:gpt-5`. */
  name?: string;
}

/** How long an answer may take outside a service, in milliseconds: as TRIPACT_MODEL_TIMEOUT_MS is by default. */
const TIMEOUT_MS = 120_000;

/** The name that errors give the settings of a model that is made in code. */
const SET_IN_CODE: Endpoint = {
  settings: {
    model: 'the model in tripact.config.ts',
    key: "the provider's API key",
    url: "the provider's baseURL",
  },
  apiKey: null,
  urlEnd: null,
};

const nameOf = (model: LanguageModel): string =>
  typeof model === 'string' ? model : `${model.provider.split('.')[0]}:${model.modelId}`;

/** Any model by the newest interface of the AI SDK, which alone has the arguments of calls as they were written. */
const newest = async (model: LanguageModel): Promise<LanguageModelV4> => {
  if (typeof model !== 'string' && model.specificationVersion === 'v4') return model;
  // It would warn on the console of models with an older interface. Whoever set a function of their own keeps it.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  const { gateway, wrapLanguageModel } = await import('ai');
  const named =
    typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model;
  return wrapLanguageModel({ model: named, middleware: [] });
};

/**
 * A model of any provider of the AI SDK, for `model` in `tripact.config.ts`: `aiSdkModel(openai('gpt-5'))`. It has the retries, the
 * deadline and the error messages of the built-in models; the SDK never retries by itself. Throws when the package `ai` is not installed.
 */
export const aiSdkModel = (languageModel: LanguageModel, options: AiSdkModelOptions = {}): Model => {
  const missing = missingPackages(['ai']);
  if (missing !== null) throw new Error(missing);
  const { name = nameOf(languageModel), voice = 'native', ...settings } = options;
  const provider = createAiSdkProvider(
    madeOnce(() => newest(languageModel)),
    settings,
    SET_IN_CODE,
  );
  const forService = (service: ModelService): Model => createRetryingModel({ ...service, name, provider, voice });
  return { ...forService({ timeoutMs: TIMEOUT_MS, log: { warn: () => {} } }), forService };
};

/**
 * A `fetch` for a provider's `fetch` option: it gives up on a response that falls silent or never ends, so that another try fits
 * into the deadline, and follows no redirect. A stream that is asked for by `accept: text/event-stream` comes as it is written.
 */
export const watchedFetch = (): typeof fetch => createLimitedFetch(idleMsUnder(TIMEOUT_MS));
