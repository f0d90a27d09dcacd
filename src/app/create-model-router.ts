import type { Logger } from 'pino';
import type { ExecutorConfig } from '../config/config-file.ts';
import type { Config, ModelConfig } from '../config.ts';
import type { Model } from '../models/port.ts';
import { createModel } from './create-model.ts';

const modelConfig = (written: string, base: ModelConfig): ModelConfig => {
  if (written === 'offline') return { kind: 'offline' };
  const model = written.replace(/^anthropic:/, '');
  return base.kind === 'anthropic' ? { ...base, model } : { kind: 'anthropic', model };
};

/** The model of the service, but for thoughts on items of an executor that names a model of its own. */
export const createModelRouter = (
  standard: Model,
  executors: readonly ExecutorConfig[],
  config: Pick<Config, 'model' | 'modelTimeoutMs'>,
  log: Logger,
): Model => {
  const own = new Map<string, Model>();
  for (const { name, model } of executors)
    if (model !== undefined) own.set(name, createModel({ ...config, model: modelConfig(model, config.model) }, log));
  if (own.size === 0) return standard;
  return {
    name: standard.name,
    answer: (request, signal) => {
      const item = request.task.plan_items.find(({ id }) => id === request.item_id);
      const chosen = request.contract === 'thought' && item !== undefined ? own.get(item.executor) : undefined;
      return (chosen ?? standard).answer(request, signal);
    },
  };
};
