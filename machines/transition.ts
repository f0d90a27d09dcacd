import {
  type AnyActorRef,
  type AnyActorScope,
  createEmptyActor,
  type ExecutableActionObject,
  type SnapshotFrom,
} from 'xstate';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
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
