import { assign, setup } from 'xstate';
import type { EffectType } from '../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { PauseReason, TaskContext } from '../contracts/task.ts';
import { actions } from './actions.ts';
import { paused } from './changes/pause-changes.ts';
import { type EffectParams, effectParams } from './effect-params.ts';
import { guards } from './guards.ts';

/** What an effect's action carries beside its type. */
interface Requested<Type extends EffectType> {
  effect: number;
  params: EffectParams<Type>;
}

/** An effect is an action that is named and never run: `step` reads its type and params. */
const effect = <Type extends EffectType>(_: unknown, _requested: Requested<Type>): void => {};

/** The machine's types, guards and actions; all of them are pure. */
export const taskSetup = setup({
  types: {
    context: {} as TaskContext,
    events: {} as TaskEvent,
    input: {} as TaskOpened,
  },
  guards,
  actions: {
    ...actions,
    pause: assign(({ context, event }, { reason }: { reason: PauseReason }) => paused(context, reason, event)),
    setOutcome: assign((_, { outcome }: { outcome: TaskContext['outcome'] }) => ({ outcome })),
    'model.plan': effect<'model.plan'>,
    'model.thought': effect<'model.thought'>,
    'model.replan': effect<'model.replan'>,
    'tool.call': effect<'tool.call'>,
    'verify.run': effect<'verify.run'>,
  },
});

/** The action that asks for an effect, under the number that `openEffect` has just given it. */
export const requests = <Type extends EffectType>(type: Type) => ({
  type,
  params: ({ context }: { context: TaskContext }): Requested<Type> => ({
    effect: context.open_effect ?? 0,
    params: effectParams[type](context),
  }),
});
