import {
  type AnyActorRef,
  type AnyActorScope,
  createEmptyActor,
  type ExecutableActionObject,
  type SnapshotFrom,
} from 'xstate';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskContext, TaskSnapshot, TaskState } from '../contracts/task.ts';
import { taskMachine } from './task-machine.ts';

/** The task machine's snapshot, as XState has it. */
export type MachineSnapshot = SnapshotFrom<typeof taskMachine>;

/** The next snapshot, and the actions to execute; they are not executed here. */
export type TransitionResult = [snapshot: MachineSnapshot, actions: ExecutableActionObject[]];

const nothing = (): void => {};

/** A scope for pure transitions. Nothing is ever sent to the actor, and it is never started. */
export const inertScope = (self: AnyActorRef) => {
  const { id, sessionId, system } = self;
  return { self, id, sessionId, system, logger: nothing, defer: nothing, stopChild: nothing, emit: nothing };
};

const inert = inertScope(createEmptyActor());

const collecting = (actions: ExecutableActionObject[]): AnyActorScope => ({
  ...inert,
  actionExecutor: (action) => actions.push(action),
});

/** XState's `initialTransition()` with one actor for all calls: XState's own makes one at each, which costs more than the transition. */
export const initialTransition = (opened: TaskOpened): TransitionResult => {
  const actions: ExecutableActionObject[] = [];
  return [taskMachine.getInitialSnapshot(collecting(actions), opened), actions];
};

/** XState's `transition()` with one actor for all calls. Pure: it does not execute the actions, and keeps nothing. */
export const transition = (snapshot: MachineSnapshot, event: TaskEvent): TransitionResult => {
  const actions: ExecutableActionObject[] = [];
  return [taskMachine.transition(snapshot, event, collecting(actions)), actions];
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

/** The innermost state of a state value: the others only group it. */
const leafOf = (value: unknown): TaskState => {
  let leaf = value;
  while (typeof leaf === 'object' && leaf !== null) leaf = Object.values(leaf)[0];
  return leaf as TaskState;
};

/**
 * A task that the machine gave: its state and context, which are all that JSON sees of it, and XState's snapshot of it, which
 * spares the next step to resolve one.
 */
class SteppedTask implements TaskSnapshot {
  readonly state: TaskState;
  readonly context: TaskContext;
  readonly #snapshot: MachineSnapshot;

  constructor(snapshot: MachineSnapshot) {
    this.state = leafOf(snapshot.value);
    this.context = snapshot.context;
    this.#snapshot = snapshot;
  }

  /** Null for a task that came from its stored form. */
  static snapshotOf(task: TaskSnapshot): MachineSnapshot | null {
    return #snapshot in task ? task.#snapshot : null;
  }
}

/** The task that a machine snapshot is of. */
export const taskOf = (snapshot: MachineSnapshot): TaskSnapshot => new SteppedTask(snapshot);

/** The machine snapshot of a task: the one that it was made from, or one resolved from its stored form. */
export const machineSnapshot = (task: TaskSnapshot): MachineSnapshot =>
  SteppedTask.snapshotOf(task) ??
  (taskMachine.resolveState({ value: stateValueOf(task.state), context: task.context }) as MachineSnapshot);
