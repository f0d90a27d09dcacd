import { assign, setup } from 'xstate';
import type { NextAction } from '../contracts/answer.ts';
import type { Effect, EffectType, TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { PauseReason, TaskContext } from '../contracts/task.ts';
import type { Resumed } from '../contracts/tool-question.ts';
import { refusalOf } from './approvals.ts';
import { endedAs, endingActions } from './ending-changes.ts';
import { guards } from './guards.ts';
import { loopActions } from './loop-changes.ts';
import { planActions } from './plan-changes.ts';
import { allowedStatuses, allowedTools, currentItem } from './plan-items.ts';
import { actionsOf } from './side-by-side.ts';
import { paused, waitingActions } from './waiting-changes.ts';

interface Requested<Type extends EffectType> {
  effect: number;
  /** Null: this effect is not asked for. */
  params: EffectParams<Type> | null;
}

/** An effect is an action that is named and never run: `step` reads its type and params. */
const effect = <Type extends EffectType>(_: unknown, _requested: Requested<Type>): void => {};

export const taskSetup = setup({
  types: {
    context: {} as TaskContext,
    events: {} as TaskEvent,
    input: {} as TaskOpened,
  },
  guards,
  actions: {
    ...planActions,
    ...loopActions,
    ...waitingActions,
    ...endingActions,
    pause: assign(({ context, event }, { reason }: { reason: PauseReason }) => paused(context, reason, event)),
    end: assign((_, { outcome }: { outcome: TaskContext['outcome'] }) => endedAs(outcome)),
    'model.plan': effect<'model.plan'>,
    'model.thought': effect<'model.thought'>,
    'model.replan': effect<'model.replan'>,
    'tool.call': effect<'tool.call'>,
    'tool.batch': effect<'tool.batch'>,
    'verify.run': effect<'verify.run'>,
  },
});

/** The action that asks for an effect, under the number that `openEffect` has just given it; of several the one that has params. */
export const requests = <Type extends EffectType>(type: Type) => ({
  type,
  params: ({ context }: { context: TaskContext }): Requested<Type> => ({
    effect: context.open_effect ?? 0,
    params: effectParams[type](context),
  }),
});

type EffectParams<Type extends EffectType> = Extract<Effect, { type: Type }>['params'];

/** The tools and inputs of actions, with the item that they are for. Throws where no action is open. */
const openActions = (context: TaskContext, actions: NextAction[]) => {
  const item = currentItem(context);
  const tools = allowedTools(context);
  if (item === null || actions.length === 0 || !actions.every(({ tool }) => tools.includes(tool)))
    throw new Error('no action is open');
  return { calls: actions.map(({ tool, input }) => ({ tool, input })), item_id: item.id, executor: item.executor };
};

/** The state of a call that asked its user something; null: the call begins. */
const resumedCall = ({ tool_question }: TaskContext): Resumed | null => {
  if (tool_question === null) return null;
  const { effect, answers, earlier, state } = tool_question;
  return { effect, answers, earlier, ...(state !== undefined && { state }) };
};

/** The params of each effect, from the task alone, so that a replay can compare them; null where another effect of its state is asked for. */
const effectParams: { [Type in EffectType]: (context: TaskContext) => EffectParams<Type> | null } = {
  'model.plan': (context) => ({ attempt: context.plan_failures + 1 }),
  'model.thought': (context) => ({ item_id: currentItem(context)?.id ?? null, may: allowedStatuses(context) }),
  'model.replan': (context) => ({ attempt: context.replan_failures + 1 }),
  'tool.call': (context) => {
    const actions = actionsOf(context.last_thought_snapshot);
    if (actions.length > 1) return null;
    const { calls, ...common } = openActions(context, actions);
    const refusal = refusalOf(context, context.last_thought_snapshot);
    const resumed = resumedCall(context);
    return {
      ...calls[0]!,
      ...common,
      ...(refusal !== undefined && { refusal }),
      ...(resumed !== null && { resumed }),
    };
  },
  'tool.batch': (context) => {
    const actions = actionsOf(context.last_thought_snapshot);
    return actions.length > 1 ? openActions(context, actions) : null;
  },
  'verify.run': (context) => ({ attempt: context.verify_failures + 1 }),
};
