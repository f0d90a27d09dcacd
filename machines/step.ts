import type { Effect } from '../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import type { TaskSnapshot, TaskState } from '../contracts/task.ts';
import { brokenInvariant } from './invariants.ts';
import { initialTransition, machineSnapshot, type TransitionResult, taskOf, transition } from './transition.ts';
import { validateEvent } from './validate-event.ts';

/** A task as the machine sees it: its state and its context, and nothing else. */
export type Task = TaskSnapshot;

/** What one event led to: the task after it, and the effects that it asks for. */
export interface Step {
  task: Task;
  effects: Effect[];
}

/** The machine has no use for this event in this state; nothing has changed. */
export class EventNotAccepted extends Error {
  override name = 'EventNotAccepted';
}

const notAccepted = (state: TaskState, event: TaskEvent, reason: string): EventNotAccepted =>
  new EventNotAccepted(`Task in '${state}' does not accept '${event.type}': ${reason}`);

/** Every action that XState gives back is an effect: the others are `assign`, which it has applied already. */
const effectOf = ({ type, params }: TransitionResult[1][number]): Effect => {
  const { effect, params: asked } = params as Pick<Effect, 'effect' | 'params'>;
  return { effect, type, params: asked } as Effect;
};

const stepOf = ([snapshot, actions]: TransitionResult): Step => {
  if (snapshot.status === 'error') throw snapshot.error;
  const task = taskOf(snapshot);
  const broken = brokenInvariant(task);
  if (broken !== null) throw new Error(`Task ${task.context.task_id} broke an invariant in '${task.state}': ${broken}`);
  return { task, effects: actions.map(effectOf) };
};

/** Opens a task: its first state, and the effect that it asks for. */
export const open = (opened: TaskOpened): Step => stepOf(initialTransition(opened));

/**
 * The machine as a pure function: one event in, the next state and the effects that it asks for out. Does not execute effects, and
 * reads no clock. Throws `EventNotAccepted` where XState alone would drop the event in silence.
 */
export const step = (task: Task, event: TaskEvent): Step => {
  const rejection = validateEvent(task, event);
  if (rejection !== null) throw notAccepted(task.state, event, rejection);
  const before = machineSnapshot(task);
  const result = transition(before, event);
  // XState gives the very snapshot back where it takes no transition.
  if (result[0] === before) throw notAccepted(task.state, event, 'no transition');
  return stepOf(result);
};
