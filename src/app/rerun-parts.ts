import type { TaskContext } from '../../contracts/task.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { modelNamed, WRITTEN_MODEL, WRITTEN_MODEL_ALLOWED } from '../config/model-config.ts';
import type { Log } from '../lib/log.ts';
import type { Model } from '../models/port.ts';
import type { ChosenModel } from '../rerun/rerun.ts';
import type { TripactConfig } from './define-config.ts';
import { openModels } from './models.ts';
import { withOneModel } from './one-model.ts';
import type { createRedaction } from './redaction.ts';

interface ModelParts {
  config: Config;
  file: TripactConfig;
  log: Log;
  redaction: Pick<ReturnType<typeof createRedaction>, 'model'>;
  /** Opens the configured model. */
  configured(): Promise<Model>;
}

/** The models of reruns: the configured one, and others by their names, which have no fallback. */
export const rerunModels = ({ config, file, log, redaction, configured }: ModelParts) => {
  const alone = { ...config, fallbackModel: null };
  const without = withOneModel(file);
  const named = new Map<string, Promise<Model>>();
  const open = async (name: string): Promise<Model> => {
    const model = WRITTEN_MODEL.test(name) ? modelNamed(name, config.providers) : `must be ${WRITTEN_MODEL_ALLOWED}.`;
    if (typeof model === 'string') throw invalidConfig([`The model ${JSON.stringify(name)} ${model}`]);
    return redaction.model(await openModels(undefined, { ...alone, model, isModelChosen: true }, without, log));
  };

  /** The model of this name. Throws `CONFIG_INVALID` where it cannot be used. */
  const byName = (name: string): Promise<Model> => {
    const known = named.get(name) ?? open(name);
    named.set(name, known);
    return known;
  };

  /** The recorded model where it can be used today, else the configured one. */
  const again = async (task: TaskContext, recorded: readonly string[]): Promise<ChosenModel> => {
    const today = await configured();
    const name = today.nameFor?.({ contract: 'replan', task, item_id: null }) ?? today.name;
    if (recorded.length === 0 || recorded.includes(name)) return { model: today, change: null };
    const usable = recorded.find(
      (each) => WRITTEN_MODEL.test(each) && typeof modelNamed(each, config.providers) !== 'string',
    );
    if (usable !== undefined) return { model: await byName(usable), change: null };
    return {
      model: today,
      change: { what: 'model', name: 'model', recorded: recorded.join(', '), now: name },
    };
  };
  return { byName, again };
};
