import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createAnthropicClient } from '../models/anthropic/client.ts';
import { createAnthropicModel } from '../models/anthropic/model.ts';
import { createOfflineModel } from '../models/offline/offline-model.ts';
import type { Model } from '../models/port.ts';
import { promptFor } from '../models/prompts/prompt.ts';

/** The model that the configuration names. */
export const createModel = (
  { model, modelTimeoutMs }: Pick<Config, 'model' | 'modelTimeoutMs'>,
  log: Logger,
): Model => {
  if (model.kind === 'offline') return createOfflineModel();
  const { apiKey, baseURL } = model;
  const client = createAnthropicClient({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseURL !== undefined && { baseURL }),
  });
  return createAnthropicModel({ model: model.model, client, prompt: promptFor, timeoutMs: modelTimeoutMs, log });
};
