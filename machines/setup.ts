import { assign, setup } from 'xstate';
import type { Effect, EffectType } from '../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { PauseReason, TaskContext } from '../contracts/task.ts';
import { changes, pausedFor } from './actions.ts';
import { initialContext } from './context.ts';
import { guards } from './guards.ts';
import type { Change, Guard, Request } from './known-paths.ts';
import { note } from './noting.ts';
import { effectOf } from './requests.ts';

/** The task is one field of XState's context: XState copies the context key by key, which is slow for many keys. */
export interface MachineContext {
  task: TaskContext;
}

type MachineScope = { context: MachineContext; event: TaskEvent };
type EffectParams<Type extends EffectType> = Omit<Extract<Effect, { type: Type }>, 'type'>;

const asked =
  (guard: Guard) =>
  ({ context: { task }, event }: MachineScope): boolean => {
    const answer = guard({ task, event });
    note(event, { asked: guard, answer });
    return answer;
  };

const made = (change: Change, { context: { task }, event }: MachineScope): MachineContext => {
  note(event, { changed: change });
  return { task: change({ task, event }) };
};

const assigned = (change: Change) =>
  assign<MachineContext, TaskEvent, undefined, TaskEvent, never>((scope) => made(change, scope));

const mapped = <Name extends string, From, To>(all: Record<Name, From>, map: (from: From) => To): Record<Name, To> =>
  Object.fromEntries(Object.entries<From>(all).map(([name, each]) => [name, map(each)])) as Record<Name, To>;

/** An effect is named, never run: who makes the transition reads its params (`step.ts`). */
const named = <Type extends EffectType>(_: MachineScope, _params: EffectParams<Type>): void => {};

/** The context a task that was never opened has: XState asks for one at every `transition()`, so it must not throw. */
const UNOPENED = initialContext({
  type: 'task.opened',
  task_id: 'task_0',
  session_id: 'none',
  turn_id: 'turn_0',
  goal: '',
  language: 'en',
  limits: {
    max_steps: 1,
    max_total_steps: 1,
    failure_limit: 1,
    plan_retries: 0,
    max_questions: 0,
    max_plan_items: 1,
    max_rounds_per_item: 1,
    max_replans: 1,
    verify_limit: 1,
  },
  catalogue: { tools: [], executors: [] },
  confirm_plan: false,
  verifies: false,
});

/** The context that a task begins with, also where XState gives no input. */
export const contextFor = (input: TaskOpened | undefined): MachineContext => ({
  task: input === undefined ? UNOPENED : initialContext(input),
});

/** The vocabulary of the machine: its guards read as sentences, its actions as facts; all of them pure. */
export const taskSetup = setup({
  types: {
    context: {} as MachineContext,
    events: {} as TaskEvent,
    input: {} as TaskOpened,
  },
  guards: mapped(guards, asked),
  actions: {
    ...mapped(changes, assigned),
    pause: assign((scope, { reason }: { reason: PauseReason }) => made(pausedFor(reason), scope)),
    'model.plan': named<'model.plan'>,
    'model.thought': named<'model.thought'>,
    'model.replan': named<'model.replan'>,
    'tool.call': named<'tool.call'>,
    'verify.run': named<'verify.run'>,
  },
});

/** The action that asks for an effect: its id is that of the effect just opened. */
export const requests = <Type extends EffectType>(type: Type) => ({
  type,
  params: ({ context: { task }, event }: MachineScope): EffectParams<Type> => {
    const request: Request = ({ task: asking }) => effectOf(type, asking);
    note(event, { requested: request });
    const { effect_id, params } = request({ task, event });
    return { effect_id, params } as EffectParams<Type>;
  },
});
