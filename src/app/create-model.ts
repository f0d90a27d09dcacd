import type { Logger } from 'pino';
import { createLoopSlices } from '../event-loop/loop-slices.ts';
import { madeOnce } from '../lib/once.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { Model } from '../models/port.ts';
import type { Config } from './config/config.ts';
import type { ModelConfig } from './config/model-config.ts';
import { invalidConfig } from './config/read-settings.ts';
import { modelPackages } from './model-packages.ts';

/** Tasks that wait for a model's code are let on a few in each turn of the event loop once it is there. */
const afterLoading = createLoopSlices();

/** A model whose code is loaded when it is first asked: a start should not wait for an SDK or a date parser. */
export const loadedLate = (name: string, load: () => Promise<Model>): Model => {
  const loading = madeOnce(load);
  let loaded: Model | undefined;
  return {
    name,
    answer: async (request, signal) => {
      if (loaded === undefined) {
        loaded = await loading();
        await afterLoading.next();
      }
      return loaded.answer(request, signal);
    },
  };
};

/** In pieces: a task that goes on after a start asks before they are loaded ahead. What can't be loaded is reported by the import. */
const loadPackages = async (kind: ModelConfig['kind']): Promise<void> => {
  for (const load of modelPackages[kind]) await load().catch(() => {});
};

const loadAnthropic = async (
  { model, apiKey, baseURL }: Extract<ModelConfig, { kind: 'anthropic' }>,
  timeoutMs: number,
  log: Logger,
): Promise<Model> => {
  await loadPackages('anthropic');
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

const loadOpenAiCompatible = async (
  { kind: _, ...server }: Extract<ModelConfig, { kind: 'openai-compatible' }>,
  timeoutMs: number,
  log: Logger,
): Promise<Model> => {
  await loadPackages('openai-compatible');
  const { createOpenAiCompatibleModel } = await import('../models/ai-sdk/openai-compatible.ts');
  return createOpenAiCompatibleModel({ ...server, timeoutMs, log });
};

/** The model that the configuration names. Throws `CONFIG_INVALID` where the packages that it needs are not installed. */
export const createModel = (
  { model, modelTimeoutMs }: Pick<Config, 'model' | 'modelTimeoutMs'>,
  log: Logger,
): Model => {
  switch (model.kind) {
    case 'offline':
      return loadedLate('offline', async () =>
        (await import('../models/offline/offline-model.ts')).createOfflineModel(),
      );
    case 'anthropic':
      return loadedLate(`anthropic:${model.model}`, () => loadAnthropic(model, modelTimeoutMs, log));
    case 'openai-compatible': {
      const name = `openai-compatible:${model.model}`;
      const missing = missingPackages(['ai', '@ai-sdk/openai-compatible']);
      if (missing !== null) throw invalidConfig([`TRIPACT_MODEL="${name}": ${missing}`]);
      return loadedLate(name, () => loadOpenAiCompatible(model, modelTimeoutMs, log));
    }
    default:
      return model satisfies never;
  }
};
