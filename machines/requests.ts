import type { Effect, EffectType } from '../contracts/effect.ts';
import type { TaskContext } from '../contracts/task.ts';
import { allowedStatuses, allowedTools, currentItem } from './current-item.ts';

type Params<Type extends EffectType> = Extract<Effect, { type: Type }>['params'];

/** What each effect asks of the world, from the task alone, so that a replay can compare it. */
const paramsOf: { [Type in EffectType]: (task: TaskContext) => Params<Type> } = {
  'model.plan': (task) => ({ attempt: task.plan_failures + 1 }),
  'model.thought': (task) => ({ item_id: currentItem(task)?.id ?? null, may: allowedStatuses(task) }),
  'model.replan': (task) => ({ attempt: task.replan_failures + 1 }),
  'tool.call': (task) => {
    const action = task.last_thought_snapshot?.next_action;
    const item = currentItem(task);
    if (!action || !item || !allowedTools(task).includes(action.tool)) throw new Error('no action is open');
    return { tool: action.tool, input: action.input, item_id: item.id, executor: item.executor };
  },
  'verify.run': (task) => ({ attempt: task.verify_failures + 1 }),
};

/** The effect that a task asks for, under the id that was just opened for it. */
export const effectOf = (type: EffectType, task: TaskContext): Effect =>
  ({ effect_id: task.open_effect_id ?? '', type, params: paramsOf[type](task) }) as Effect;
