import {
  type AnyActorRef,
  type AnyActorScope,
  createEmptyActor,
  type ExecutableActionObject,
  pathToStateValue,
  type SnapshotFrom,
  type StateValue,
} from 'xstate';
import type { Effect, TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskContext, TaskSnapshot, TaskState } from '../contracts/task.ts';
import { brokenInvariant, validateEvent } from './laws.ts';
import { withFirstLog, withLog } from './log.ts';
import { taskMachine } from './task-machine.ts';

type MachineSnapshot = SnapshotFrom<typeof taskMachine>;

const nothing = (): void => {};

/** A scope for pure transitions. Nothing is ever sent to the actor, and it is never started. */
export const inertScope = (self: AnyActorRef) => {
  const { id, sessionId, system } = self;
  return { self, id, sessionId, system, logger: nothing, defer: nothing, stopChild: nothing, emit: nothing };
};

const inert = inertScope(createEmptyActor());

/**
 * One transition. Does what XState's `transition()` does, but shares one actor between all calls: creating an actor costs
 * more than the transition. Executes no action. `addLog` adds the log to the context, which no transition reads.
 */
const transition = (
  make: (scope: AnyActorScope) => MachineSnapshot,
  addLog: (after: TaskSnapshot) => TaskContext,
): Step => {
  const actions: ExecutableActionObject[] = [];
  const snapshot = make({ ...inert, actionExecutor: (action) => actions.push(action) });
  if (snapshot.status === 'error') throw snapshot.error;
  const state = leafOf(snapshot.value);
  const context = addLog({ state, context: snapshot.context });
  const task = new SteppedTask(state, { ...snapshot, context });
  const broken = brokenInvariant(task);
  if (broken !== null) throw new Error(`Task ${task.context.task_id} broke an invariant in '${task.state}': ${broken}`);
  return { task, effects: actions.flatMap(effectOf) };
};

/** A task's state as the machine nests it, such as `{ open: { working: 'planning' } }`. */
const stateValueOf = (state: TaskState): StateValue => pathToStateValue(taskMachine.getStateNodeById(state).path);

/** The innermost state of a state value: the others only group it. */
const leafOf = (value: StateValue | undefined): TaskState =>
  typeof value === 'object' ? leafOf(Object.values(value)[0]) : (value as TaskState);

/** A task from the machine. Keeps its XState snapshot for the next step; JSON has only state and context. */
class SteppedTask implements TaskSnapshot {
  readonly state: TaskState;
  readonly context: TaskContext;
  readonly #snapshot: MachineSnapshot;

  constructor(state: TaskState, snapshot: MachineSnapshot) {
    this.state = state;
    this.context = snapshot.context;
    this.#snapshot = snapshot;
  }

  /** Null for a task that came from its stored form. */
  static snapshotOf(task: TaskSnapshot): MachineSnapshot | null {
    return #snapshot in task ? task.#snapshot : null;
  }
}

/** The machine snapshot of a task: the one that it was made from, or one resolved from its stored form. */
export const machineSnapshot = (task: TaskSnapshot): MachineSnapshot =>
  SteppedTask.snapshotOf(task) ??
  (taskMachine.resolveState({ value: stateValueOf(task.state), context: task.context }) as MachineSnapshot);

/** A task as the machine sees it: its state and its context, and nothing else. */
export type Task = TaskSnapshot;

/** The result of one event: the task after it, and the effects that it asks for. */
export interface Step {
  task: Task;
  effects: Effect[];
}

/** The state does not accept this event; nothing has changed. */
export class EventNotAccepted extends Error {
  override name = 'EventNotAccepted';
}

const notAccepted = (state: TaskState, event: TaskEvent, reason: string): EventNotAccepted =>
  new EventNotAccepted(`Task in '${state}' does not accept '${event.type}': ${reason}`);

/** Every action that XState gives back is an effect: the others are `assign`, which it has applied already. */
const effectOf = ({ type, params }: ExecutableActionObject): Effect[] => {
  const { effect, params: asked } = params as { effect: number; params: Effect['params'] | null };
  return asked === null ? [] : [{ effect, type, params: asked } as Effect];
};

/** Opens a task: its first state, and the effect that it asks for. */
export const open = (opened: TaskOpened): Step =>
  transition(
    (scope) => taskMachine.getInitialSnapshot(scope, opened),
    ({ context }) => withFirstLog(context, opened),
  );

/** The machine as a pure function: one event in, the next state and its effects out. Throws `EventNotAccepted` where XState would drop the event. */
export const step = (task: Task, event: TaskEvent): Step => {
  const rejection = validateEvent(task, event);
  if (rejection !== null) throw notAccepted(task.state, event, rejection);
  const before = machineSnapshot(task);
  return transition(
    (scope) => {
      const after = taskMachine.transition(before, event, scope);
      // XState gives the very snapshot back where it takes no transition.
      if (after === before) throw notAccepted(task.state, event, 'no transition');
      return after;
    },
    (after) => withLog(task, after, event),
  );
};
