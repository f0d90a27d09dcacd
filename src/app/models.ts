import type { Logger } from 'pino';
import { type Config, invalidConfig } from '../config/config.ts';
import {
  filesOf,
  type ModelConfig,
  modelName,
  modelNamed,
  WRITTEN_MODEL,
  WRITTEN_MODEL_ALLOWED,
} from '../config/model-config.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { Effort, Model, ModelService } from '../models/port.ts';
import type { Voice } from '../models/prompt/rules.ts';
import { routed, withFallback } from '../models/route.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { TripactConfig } from './define-config.ts';

/** Settings shared by all models of the service. */
interface ModelParts extends ModelService {
  voice: Voice;
  effort: Effort | null;
  files: Config['modelFiles'];
  log: Logger;
}

/** Throws `CONFIG_INVALID` with the install command if packages of a model are missing. */
const needPackages = (model: ModelConfig, names: readonly string[]): void => {
  const missing = missingPackages(names);
  if (missing !== null) throw invalidConfig([`TRIPACT_MODEL="${modelName(model)}": ${missing}`]);
};

/**
 * Loads the code of the configured model, and of no other. Throws `CONFIG_INVALID` if its packages are not installed.
 */
const createModel = async (model: ModelConfig, { files, ...shared }: ModelParts): Promise<Model> => {
  const parts = { ...shared, takesFiles: filesOf(model, files) };
  switch (model.kind) {
    case 'offline':
      return (await import('../models/offline/offline-model.ts')).createOfflineModel();
    case 'anthropic': {
      const { kind: _, ...server } = model;
      const { createAnthropicModel } = await import('../models/anthropic/anthropic.ts');
      return createAnthropicModel({ ...server, ...parts });
    }
    case 'openai': {
      const { kind: _, ...server } = model;
      needPackages(model, ['@ai-sdk/openai']);
      const { createOpenAiModel } = await import('../models/ai-sdk/openai.ts');
      return createOpenAiModel({ ...server, ...parts });
    }
    case 'openai-compatible': {
      const { kind: _, ...server } = model;
      needPackages(model, ['@ai-sdk/openai-compatible']);
      const { createOpenAiCompatibleModel } = await import('../models/ai-sdk/openai.ts');
      // Only this server allows one call in a message by default.
      const asksParallel = model.server === 'llamacpp';
      const keySetting = model.server === 'openrouter' ? 'OPENROUTER_API_KEY' : 'OPENAI_API_KEY';
      return createOpenAiCompatibleModel({ ...server, ...parts, asksParallel, keySetting });
    }
    default:
      return model satisfies never;
  }
};

/** A model that the configuration file names at a place in it. Throws `CONFIG_INVALID` if it is not usable. */
const modelAt = (written: string, place: string, { providers }: Pick<Config, 'providers'>): ModelConfig => {
  const named = WRITTEN_MODEL.test(written) ? modelNamed(written, providers) : `must be ${WRITTEN_MODEL_ALLOWED}.`;
  if (typeof named !== 'string') return named;
  throw invalidConfig([`${CONFIG_FILE} › ${place} › model: ${JSON.stringify(written)} ${named}`]);
};

/**
 * The given model, else the chosen one, else the configuration file's, with the executors' own models and the fallback.
 * Throws `CONFIG_INVALID`.
 */
export const openModels = async (
  given: Model | undefined,
  config: Pick<
    Config,
    | 'model'
    | 'modelFiles'
    | 'isModelChosen'
    | 'fallbackModel'
    | 'providers'
    | 'modelTimeoutMs'
    | 'modelVoice'
    | 'effort'
  >,
  { model, executors = [], agents = {} }: Pick<TripactConfig, 'model' | 'executors' | 'agents'>,
  log: Logger,
): Promise<Model> => {
  const { modelTimeoutMs: timeoutMs, modelVoice: voice, effort, modelFiles: files } = config;
  const parts: ModelParts = { timeoutMs, voice, effort, files, log };
  const inCode = given ?? (config.isModelChosen ? undefined : model);
  const standard = inCode?.forService?.(parts) ?? inCode ?? (await createModel(config.model, parts));
  const ofExecutors = new Map<string, Model>();
  for (const [i, executor] of executors.entries())
    if (executor.model !== undefined)
      ofExecutors.set(executor.name, await createModel(modelAt(executor.model, `executors › ${i}`, config), parts));
  const ofAgents = new Map<string, Model>();
  for (const [name, agent] of Object.entries(agents))
    if (typeof agent.model === 'string')
      ofAgents.set(name, await createModel(modelAt(agent.model, `agents › ${name}`, config), parts));
    else if (agent.model !== undefined) ofAgents.set(name, agent.model.forService?.(parts) ?? agent.model);
  const isRouted = ofExecutors.size + ofAgents.size > 0;
  const chosen = isRouted ? routed(standard, { ofExecutors, ofAgents }) : standard;
  if (config.fallbackModel === null) return chosen;
  const fallback = await createModel(config.fallbackModel, parts);
  return withFallback(chosen, fallback, (reason) =>
    log.warn({ reason, fallback: fallback.name }, 'the model gave no answer; asking the fallback'),
  );
};
