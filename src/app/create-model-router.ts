import type { Logger } from 'pino';
import type { Model, ModelRequest } from '../models/port.ts';
import type { Config } from './config/config.ts';
import { CONFIG_FILE } from './config/config-file-problems.ts';
import type { ExecutorConfig } from './config/define-config.ts';
import { type ModelConfig, modelNamed, WRITTEN_MODEL, WRITTEN_MODEL_ALLOWED } from './config/model-config.ts';
import { invalidConfig } from './config/read-settings.ts';
import { createModel } from './create-model.ts';

/** Throws `CONFIG_INVALID` where the text names none, or one that can't be reached. */
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

/** The model of the service, but for thoughts on items of an executor that names a model of its own. */
export const createModelRouter = (
  standard: Model,
  executors: readonly ExecutorConfig[],
  config: Pick<Config, 'model' | 'providers' | 'modelTimeoutMs'>,
  log: Logger,
): Model => {
  const own = new Map<string, Model>();
  for (const [i, { name, model }] of executors.entries())
    if (model !== undefined) own.set(name, createModel({ ...config, model: executorModel(model, i, config) }, log));
  if (own.size === 0) return standard;
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
