import { type AnyActorScope, createActor, type SnapshotFrom } from 'xstate';
import { type Effect, Effect as EffectSchema } from '../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskContext, TaskSnapshot, TaskState } from '../contracts/task.ts';
import { brokenInvariant } from './invariants.ts';
import { objectionTo } from './judge.ts';
import { taskMachine } from './task-machine.ts';

/** A task's machine state in memory, with XState's own snapshot kept so that the next step need not rebuild it. */
export interface Task extends TaskSnapshot {
  readonly snapshot: SnapshotFrom<typeof taskMachine>;
}

/** What one event led to. */
export interface Step {
  task: Task;
  effects: Effect[];
}

/** The machine has no use for this event in this state; nothing has changed. */
export class EventNotAccepted extends Error {
  override name = 'EventNotAccepted';
}

const EFFECT_TYPES: ReadonlySet<string> = new Set(EffectSchema.options.map((option) => option.shape.type.value));

let requested: Effect[] = [];

/**
 * One inert actor scope for all steps: XState's own `transition()` makes a new actor at every call, which costs more than the
 * transition itself. Semi-internal, so the version is pinned and a test holds this against `transition()`.
 */
const scope = ((): AnyActorScope => {
  const self = createActor(taskMachine, { input: undefined as unknown as TaskOpened });
  return {
    self,
    id: self.id,
    sessionId: self.sessionId,
    system: self.system,
    logger: () => {},
    defer: () => {},
    stopChild: () => {},
    emit: () => {},
    actionExecutor: (action: { type: string; params?: unknown }) => {
      if (EFFECT_TYPES.has(action.type))
        requested.push({ type: action.type, ...(action.params as object) } as unknown as Effect);
    },
  } as unknown as AnyActorScope;
})();

const leafOf = (value: unknown): TaskState => {
  let leaf = value;
  while (typeof leaf === 'object' && leaf !== null) leaf = Object.values(leaf)[0];
  return leaf as TaskState;
};

const stateValueOf = (state: TaskState) => {
  switch (state) {
    case 'replanning':
      return { outer: state };
    case 'thinking':
    case 'acting':
      return { outer: { inner: state } };
    case 'planning':
    case 'verifying':
    case 'awaiting_user':
    case 'paused':
    case 'done':
    case 'failed':
    case 'cancelled':
      return state;
    default:
      return state satisfies never;
  }
};

const asStep = (snapshot: SnapshotFrom<typeof taskMachine>): Step => {
  const task: Task = { state: leafOf(snapshot.value), context: snapshot.context.task, snapshot };
  const broken = brokenInvariant(task);
  if (broken !== null) throw new Error(`Task ${task.context.task_id} broke a law in '${task.state}': ${broken}`);
  const effects = requested.map(({ effect_id, type, params }) => ({ effect_id, type, params }) as Effect);
  return { task, effects };
};

/** Begins a task: its first state, and the effect that it asks for. */
export const open = (opened: TaskOpened): Step => {
  requested = [];
  return asStep(taskMachine.getInitialSnapshot(scope, opened));
};

/**
 * The machine as a pure function: one event in, the next state and the effects that it asks for out. Performs nothing, and
 * reads no clock. Throws `EventNotAccepted` where XState alone would drop the event in silence.
 */
export const step = (task: Task, event: TaskEvent): Step => {
  const objection = objectionTo(task, event);
  if (objection !== null) throw refused(task.state, event, objection);
  requested = [];
  const next = taskMachine.transition(task.snapshot, event, scope) as typeof task.snapshot;
  if (next === task.snapshot) throw refused(task.state, event, 'no transition');
  return asStep(next);
};

const refused = (state: TaskState, event: TaskEvent, why: string): EventNotAccepted =>
  new EventNotAccepted(`Task in '${state}' does not accept '${event.type}': ${why}`);

/** A task as it was stored; the inverse of taking its `state` and `context`. */
export const restore = ({ state, context }: { state: TaskState; context: TaskContext }): Task => {
  const snapshot = taskMachine.resolveState({ value: stateValueOf(state), context: { task: context } }) as SnapshotFrom<
    typeof taskMachine
  >;
  return { state, context, snapshot };
};
