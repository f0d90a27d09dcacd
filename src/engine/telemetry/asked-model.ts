import type { Effect } from '../../../contracts/effect.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { Model } from '../../models/port.ts';

/** The name of the model that an effect asks; of one that asks none, the service's. */
export const askedModel = ({ name, nameFor }: Model, effect: Effect, task: TaskContext): string =>
  nameFor !== undefined && effect.type === 'model.thought'
    ? nameFor({ contract: 'thought', task, item_id: effect.params.item_id })
    : name;
