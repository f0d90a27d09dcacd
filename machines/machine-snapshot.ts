import type { TaskContext, TaskSnapshot, TaskState } from '../contracts/task.ts';
import { taskMachine } from './task-machine.ts';
import type { MachineSnapshot } from './transition.ts';

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
