import type { LanguageModel } from 'ai';
import type { FileKinds } from '../../../contracts/file.ts';
import { madeOnce } from '../../lib/once.ts';
import { missingPackages } from '../../lib/optional-packages.ts';
import { createLimitedFetch, idleMsUnder } from '../asking/limited-fetch.ts';
import { createRetryingModel } from '../asking/retry.ts';
import type { Endpoint } from '../asking/verdict.ts';
import type { Model, ModelService } from '../port.ts';
import type { Voice } from '../prompt/rules.ts';
import { createAiSdkProvider, type LanguageModelV4 } from './provider.ts';

/** Options for a model of the AI SDK. Omitted ones keep the provider's default. */
export interface AiSdkModelOptions {
  maxOutputTokens?: number;
  temperature?: number;
  /** False: the text voice sends no schema. */
  structuredOutput?: boolean;
  /** How it answers: by tool calls, or by text for a model without tool calls. Default `native`. */
  voice?: Voice;
  /** The kinds of files that it looks at: `['image', 'pdf']`. Default: none, so that it gets names and texts. */
  files?: FileKinds;
  /** Its name in logs, usage and `prices`; default: the provider's name and the model's, such as `openai:gpt-5`. */
  name?: string;
}

/** Time limit of an answer outside a service, in milliseconds; equals the default of TRIPACT_MODEL_TIMEOUT_MS. */
const TIMEOUT_MS = 120_000;

/** How errors name the settings of a model that is made in code. */
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

/** Any model through the newest interface of the AI SDK, the only one that gives the arguments of calls verbatim. */
const newest = async (model: LanguageModel): Promise<LanguageModelV4> => {
  if (typeof model !== 'string' && model.specificationVersion === 'v4') return model;
  // Silences its console warning about models with an older interface, unless the user has set a function of their own.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  const { gateway, wrapLanguageModel } = await import('ai');
  const named =
    typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model;
  return wrapLanguageModel({ model: named, middleware: [] });
};

/**
 * A model of any AI SDK provider, for `model` in `tripact.config.ts`: `aiSdkModel(openai('gpt-5'))`. It has the
 * retries, deadline and error messages of the built-in models; the SDK itself never retries. Throws if the package `ai`
 * is not installed.
 */
export const aiSdkModel = (languageModel: LanguageModel, options: AiSdkModelOptions = {}): Model => {
  const missing = missingPackages(['ai']);
  if (missing !== null) throw new Error(missing);
  const { name = nameOf(languageModel), voice = 'native', files = [], ...settings } = options;
  const provider = createAiSdkProvider(
    madeOnce(() => newest(languageModel)),
    { ...settings, takesFiles: files },
    SET_IN_CODE,
  );
  const forService = (service: ModelService): Model => createRetryingModel({ ...service, name, provider, voice });
  return { ...forService({ timeoutMs: TIMEOUT_MS, log: { warn: () => {} } }), forService };
};

/**
 * A `fetch` for a provider's `fetch` option. It aborts a response that falls silent or never ends, so that another
 * attempt fits into the deadline, and follows no redirects. A stream requested by `accept: text/event-stream` is passed
 * on as it arrives.
 */
export const watchedFetch = (): typeof fetch => createLimitedFetch(idleMsUnder(TIMEOUT_MS));
