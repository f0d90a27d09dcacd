import type { Logger } from 'pino';
import type { Config, ModelConfig } from '../config.ts';
import type { Model } from '../models/port.ts';

/** A model whose code is loaded when it is first asked: a start should not wait for an SDK or a date parser. */
const loadedLate = (name: string, load: () => Promise<Model>): Model => {
  let loading: Promise<Model> | undefined;
  return {
    name,
    answer: async (request, signal) => {
      loading ??= load();
      return (await loading).answer(request, signal);
    },
  };
};

const loadAnthropic = async (
  { model, apiKey, baseURL }: Extract<ModelConfig, { kind: 'anthropic' }>,
  timeoutMs: number,
  log: Logger,
): Promise<Model> => {
  const { createAnthropicClient } = await import('../models/anthropic/client.ts');
  const { idleMsUnder } = await import('../models/http/http-fetch.ts');
  const { createAnthropicModel } = await import('../models/anthropic/model.ts');
  const { promptFor } = await import('../models/prompts/prompt.ts');
  const client = createAnthropicClient({
    idleMs: idleMsUnder(timeoutMs),
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
  });
  return createAnthropicModel({ model, client, prompt: promptFor, timeoutMs, log });
};

/** The model that the configuration names. */
export const createModel = (
  { model, modelTimeoutMs }: Pick<Config, 'model' | 'modelTimeoutMs'>,
  log: Logger,
): Model => {
  if (model.kind === 'anthropic')
    return loadedLate(`anthropic:${model.model}`, () => loadAnthropic(model, modelTimeoutMs, log));
  return loadedLate('offline', async () => (await import('../models/offline/offline-model.ts')).createOfflineModel());
};
