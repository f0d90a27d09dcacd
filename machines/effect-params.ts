import type { Effect, EffectType } from '../contracts/effect.ts';
import type { TaskContext } from '../contracts/task.ts';
import { allowedStatuses, allowedTools, currentItem } from './current-item.ts';

/** What one kind of effect is asked for with. */
export type EffectParams<Type extends EffectType> = Extract<Effect, { type: Type }>['params'];

/** The params of each effect, from the task alone, so that a replay can compare them. */
export const effectParams: { [Type in EffectType]: (context: TaskContext) => EffectParams<Type> } = {
  'model.plan': (context) => ({ attempt: context.plan_failures + 1 }),
  'model.thought': (context) => ({ item_id: currentItem(context)?.id ?? null, may: allowedStatuses(context) }),
  'model.replan': (context) => ({ attempt: context.replan_failures + 1 }),
  'tool.call': (context) => {
    const action = context.last_thought_snapshot?.next_action;
    const item = currentItem(context);
    if (!action || !item || !allowedTools(context).includes(action.tool)) throw new Error('no action is open');
    return { tool: action.tool, input: action.input, item_id: item.id, executor: item.executor };
  },
  'verify.run': (context) => ({ attempt: context.verify_failures + 1 }),
};
