import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import type { Effect } from '../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskSnapshot, TaskState } from '../contracts/task.ts';
import { initialContext } from './context.ts';
import { brokenInvariant } from './invariants.ts';
import { objectionTo } from './judge.ts';
import { type Arrival, createPaths, type Scope } from './known-paths.ts';
import { noting } from './noting.ts';
import { taskMachine } from './task-machine.ts';

/** A task as the machine sees it: its state and its context, and nothing else. */
export type Task = TaskSnapshot;

/** What one event led to. */
export interface Step {
  task: Task;
  effects: Effect[];
}

/** The machine has no use for this event in this state; nothing has changed. */
export class EventNotAccepted extends Error {
  override name = 'EventNotAccepted';
}

type MachineSnapshot = SnapshotFrom<typeof taskMachine>;

/**
 * The ways through the machine that XState has taken in this process. What XState does depends on the state, the kind of event
 * and what the guards answer, and on nothing else; so each way is taken by XState once, and from then on gone by asking the same
 * guards and making the same changes, in a quarter of the time. A test holds every step against XState's own `transition()`.
 */
const paths = createPaths();

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

/** A task as XState's own functions take it. */
export const machineSnapshot = ({ state, context }: Task): MachineSnapshot =>
  taskMachine.resolveState({ value: stateValueOf(state), context: { task: context } }) as MachineSnapshot;

/** Goes a way that is known, else has XState go it and remembers how. Null from `go` says that there is none. */
const arrive = (from: string, scope: Scope, go: () => MachineSnapshot | null): Arrival => {
  const known = paths.follow(from, scope);
  if (known !== null) return known;
  const { result, moves } = noting(scope.event, go);
  paths.learn(from, moves, result === null ? null : leafOf(result.value));
  const learnt = paths.follow(from, scope);
  const isSame = result === null || JSON.stringify(learnt?.task) === JSON.stringify(result.context.task);
  if (learnt === null || !isSame) throw new Error(`the way from ${from} was not remembered as it was taken`);
  return learnt;
};

const asStep = (task: Task, effects: Effect[]): Step => {
  const broken = brokenInvariant(task);
  if (broken !== null) throw new Error(`Task ${task.context.task_id} broke a law in '${task.state}': ${broken}`);
  return { task, effects };
};

/** Begins a task: its first state, and the effect that it asks for. */
export const open = (opened: TaskOpened): Step => {
  const scope: Scope = { task: initialContext(opened), event: opened };
  const { state, task, effects } = arrive(opened.type, scope, () => initialTransition(taskMachine, opened)[0]);
  if (state === null) throw new Error('the machine does not begin');
  return asStep({ state, context: task }, effects);
};

/**
 * The machine as a pure function: one event in, the next state and the effects that it asks for out. Performs nothing, and
 * reads no clock. Throws `EventNotAccepted` where XState alone would drop the event in silence.
 */
export const step = (task: Task, event: TaskEvent): Step => {
  const objection = objectionTo(task, event);
  if (objection !== null) throw refused(task.state, event, objection);
  const arrival = arrive(`${task.state} ${event.type}`, { task: task.context, event }, () => {
    const before = machineSnapshot(task);
    const [after] = transition(taskMachine, before, event);
    return after === before ? null : after;
  });
  if (arrival.state === null) throw refused(task.state, event, 'no transition');
  return asStep({ state: arrival.state, context: arrival.task }, arrival.effects);
};

const refused = (state: TaskState, event: TaskEvent, why: string): EventNotAccepted =>
  new EventNotAccepted(`Task in '${state}' does not accept '${event.type}': ${why}`);
