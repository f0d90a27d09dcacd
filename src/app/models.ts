import type { Logger } from 'pino';
import { missingPackages } from '../lib/optional-packages.ts';
import type { Model, ModelRequest } from '../models/port.ts';
import { type Config, invalidConfig } from './config/config.ts';
import { CONFIG_FILE } from './config/config-file.ts';
import type { TripactConfig } from './config/define-config.ts';
import { type ModelConfig, modelNamed, WRITTEN_MODEL, WRITTEN_MODEL_ALLOWED } from './config/model-config.ts';

/** Loads the code of the model that the configuration names, and of no other. Throws `CONFIG_INVALID` where its packages are not installed. */
const createModel = async (model: ModelConfig, timeoutMs: number, log: Logger): Promise<Model> => {
  switch (model.kind) {
    case 'offline':
      return (await import('../models/offline/offline-model.ts')).createOfflineModel();
    case 'anthropic': {
      const [{ createAnthropicModel }, { createPrompts }] = await Promise.all([
        import('../models/anthropic/anthropic.ts'),
        import('../models/prompts/prompt.ts'),
      ]);
      const { kind: _, ...server } = model;
      return createAnthropicModel({ ...server, prompt: createPrompts(), timeoutMs, log });
    }
    case 'openai-compatible': {
      const { kind, ...server } = model;
      const missing = missingPackages(['ai', '@ai-sdk/openai-compatible']);
      if (missing !== null) throw invalidConfig([`TRIPACT_MODEL="${kind}:${server.model}": ${missing}`]);
      const { createOpenAiCompatibleModel } = await import('../models/ai-sdk/ai-sdk.ts');
      return createOpenAiCompatibleModel({ ...server, timeoutMs, log });
    }
    default:
      return model satisfies never;
  }
};

/** The model that an executor of the configuration file names. Throws `CONFIG_INVALID` where it can't be reached. */
const executorModel = (
  written: string,
  index: number,
  { model, providers }: Pick<Config, 'model' | 'providers'>,
): ModelConfig => {
  const place = `${CONFIG_FILE} › executors › ${index} › model: ${JSON.stringify(written)}`;
  const isWhole = WRITTEN_MODEL.test(written);
  if (!isWhole && /\s/.test(written)) throw invalidConfig([`${place} must be ${WRITTEN_MODEL_ALLOWED}.`]);
  // The name of a model alone is one of the same provider as the service's.
  const kind = model.kind === 'offline' ? 'anthropic' : model.kind;
  const named = modelNamed(isWhole ? written : `${kind}:${written}`, providers);
  if (typeof named === 'string') throw invalidConfig([`${place} ${named}`]);
  return named;
};

/** Asks an executor's own model for thoughts on its items, and the standard model for everything else. */
const routed = (standard: Model, own: ReadonlyMap<string, Model>): Model => {
  const chosenFor = ({ contract, task, item_id }: Pick<ModelRequest, 'contract' | 'task' | 'item_id'>) => {
    const item = contract === 'thought' ? task.plan_items.find(({ id }) => id === item_id) : undefined;
    return item === undefined ? undefined : own.get(item.executor);
  };
  return {
    name: standard.name,
    ...(standard.problem !== undefined && { problem: standard.problem }),
    nameFor: (request) => (chosenFor(request) ?? standard).name,
    answer: async (request, signal) => {
      const chosen = chosenFor(request);
      if (chosen === undefined) return standard.answer(request, signal);
      return { ...(await chosen.answer(request, signal)), model: chosen.name };
    },
  };
};

/**
 * The model of a service: the given one, else the chosen one, else the one that the configuration file makes in code, with those that
 * executors name. Throws `CONFIG_INVALID`.
 */
export const openModels = async (
  given: Model | undefined,
  config: Pick<Config, 'model' | 'isModelChosen' | 'providers' | 'modelTimeoutMs'>,
  { model, executors = [] }: Pick<TripactConfig, 'model' | 'executors'>,
  log: Logger,
): Promise<Model> => {
  const timeoutMs = config.modelTimeoutMs;
  const inCode = given ?? (config.isModelChosen ? undefined : model);
  const standard =
    inCode?.forService?.({ timeoutMs, log }) ?? inCode ?? (await createModel(config.model, timeoutMs, log));
  const own = new Map<string, Model>();
  for (const [i, executor] of executors.entries())
    if (executor.model !== undefined)
      own.set(executor.name, await createModel(executorModel(executor.model, i, config), timeoutMs, log));
  return own.size === 0 ? standard : routed(standard, own);
};
