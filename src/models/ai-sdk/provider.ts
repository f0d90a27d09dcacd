import type { LanguageModel } from 'ai';
import { contractSchema } from '../contract-schema.ts';
import { promptFor } from '../prompts/prompt.ts';
import { promptTexts } from '../prompts/prompt-text.ts';
import type { Provider } from '../retry.ts';
import type { Endpoint } from '../verdict.ts';
import { askOf } from './ask.ts';
import { classifyError } from './classify-error.ts';
import { readResult } from './read-result.ts';

/** What every call adds, where the model's own default is not wanted. */
export interface CallSettings {
  maxOutputTokens?: number;
  temperature?: number;
  /** False: the contract's schema is not sent. */
  structuredOutput?: boolean;
}

/** Loads the SDK at the first call: it takes as long to load as all the rest of a start. */
const loadSdk = async (): Promise<typeof import('ai')> => {
  // It would warn on the console at each call of a model that has no structured output. Whoever set a function of their own keeps it.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return import('ai');
};

/** Any model of the AI SDK as a provider. `modelOf` is called at each call, so that its package too may be loaded late. */
export const createAiSdkProvider = (
  modelOf: () => LanguageModel | Promise<LanguageModel>,
  { structuredOutput = true, ...settings }: CallSettings,
  endpoint: Endpoint,
): Provider => {
  return {
    endpoint,
    call: async (request, { dropObservations, withSchema, withMarks }, signal, onSent) => {
      const [{ generateText }, model] = await Promise.all([loadSdk(), modelOf()]);
      const { contract } = request;
      const shape = withSchema && structuredOutput ? { name: contract, schema: contractSchema(contract) } : null;
      const prompt = promptFor(request, { dropObservations });
      onSent({ prompt: promptTexts(prompt), structured_output: shape !== null });
      const ask = askOf(model, prompt, shape, withMarks);
      return readResult(await generateText({ ...ask, ...settings, maxRetries: 0, abortSignal: signal }));
    },
    classify: (error) => classifyError(error, endpoint),
  };
};
