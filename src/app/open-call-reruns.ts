import { invalidConfig } from '../config/config.ts';
import { modelName } from '../config/model-config.ts';
import { ServiceError } from '../lib/errors.ts';
import { maskSecrets } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';
import type { Model } from '../models/port.ts';
import { type CallModels, type CallReruns, createCallReruns } from '../rerun/call-reruns.ts';
import { createFilesToShow } from '../runtime/perform/show-files.ts';
import type { SessionsApi } from '../runtime/port.ts';
import type { Foundation } from './foundation.ts';
import { openModels } from './models.ts';
import { withOneModel } from './one-model.ts';
import type { Folders } from './open-folders.ts';
import { ownersBudget } from './owners-budget.ts';
import { rerunModels } from './rerun-parts.ts';
import type { ServiceTools } from './tools.ts';

interface CallRerunNeeds {
  foundation: Foundation;
  tools: ServiceTools;
  folders: Pick<Folders, 'storedFiles' | 'within'>;
  engine: SessionsApi;
  /** The service's model if it was given in code; undefined: the configured one. */
  given: Model | undefined;
}

/** The models that the configuration names in other places than the standard one, by their names, each alone. */
const otherModels = ({ config, file }: Foundation): Map<string, Model | string> => {
  const named = [...(file.executors ?? []), ...Object.values(file.agents ?? {})].flatMap(({ model }) => model ?? []);
  const fallback = config.fallbackModel === null ? [] : [modelName(config.fallbackModel)];
  return new Map([...named, ...fallback].map((model) => [typeof model === 'string' ? model : model.name, model]));
};

/** The models of the service, each without a fallback; and for whoever may ask any model those that its keys reach. */
const callModels = (foundation: Foundation, given: Model | undefined): CallModels => {
  const { config, file, log, redaction, model } = foundation;
  const alone = { ...config, fallbackModel: null };
  const standard = madeOnce(async () => redaction.model(await openModels(given, alone, withOneModel(file), log)));
  const reached = rerunModels({ config, file, log, redaction, configured: standard });
  const others = otherModels(foundation);
  const names: CallModels['names'] = [model.name, ...[...others.keys()].filter((name) => name !== model.name)];
  return {
    names,
    byName: async (name, isAnyModel) => {
      if (name === model.name) return standard();
      const other = others.get(name);
      if (other !== undefined && typeof other !== 'string')
        return redaction.model(await openModels(other, alone, {}, log));
      if (other === undefined && !isAnyModel)
        throw new ServiceError('INVALID_REQUEST', `"model" must be one of ${names.join(', ')}`);
      return reached.byName(name).catch((error: unknown) => {
        throw new ServiceError('INVALID_REQUEST', error instanceof Error ? error.message : String(error), {
          cause: error,
        });
      });
    },
  };
};

/** Opens what makes single model calls again: with the service's models, agents and files. */
export const openCallReruns = ({ foundation, tools, folders, engine, given }: CallRerunNeeds): CallReruns => {
  const { file, log, secrets } = foundation;
  const standard = tools.agents.of(null);
  if (standard === undefined) throw invalidConfig(['a service has an agent']);
  const { storedFiles, within } = folders;
  return createCallReruns({
    engine,
    agentOf: (task) => tools.agents.agentOf(task) ?? standard,
    models: callModels(foundation, given),
    withFiles: (owner, task, signal, work) => {
      const session = { owner, session_id: task.session_id };
      return within(session, signal, async () => {
        const { files } = createFilesToShow(storedFiles, session, task);
        return work({
          isThere: (each) => storedFiles.isThere(session, each),
          ...(files !== undefined && { show: files }),
        });
      });
    },
    budgetOf: (owner) => ownersBudget(foundation, owner, null),
    prices: file.prices ?? null,
    mask: maskSecrets(secrets),
    log,
  });
};
