import { createEmptyActor } from 'xstate';
import type { TaskEvent, TaskOpened } from '../contracts/event.ts';
import { type Arrow, taskArrows } from './arrows.ts';
import { machineSnapshot } from './machine-snapshot.ts';
import type { Task } from './step.ts';
import { taskMachine } from './task-machine.ts';
import { inertScope } from './transition.ts';

/** The transitions that the machine takes for one event, in order: the event's own, and those that follow it at once. */
export type TraceArrows = (before: Task | null, event: TaskOpened | TaskEvent) => Arrow[];

/**
 * Makes a function that says which transitions an accepted event takes, as XState itself reports them. Pure to its caller: it
 * executes no action. Null as `before` is for the event that opens a task.
 */
export const createArrowTracer = (): TraceArrows => {
  const arrows = new Map(taskArrows().map((arrow) => [arrow.definition, arrow]));
  const actor = createEmptyActor();
  const scope = { ...inertScope(actor), actionExecutor: () => {} };
  const taken: Arrow[] = [];
  actor.system.inspect((inspected) => {
    if (inspected.type !== '@xstate.microstep') return;
    for (const definition of inspected._transitions) {
      const arrow = arrows.get(definition);
      if (arrow !== undefined) taken.push(arrow);
    }
  });
  return (before, event) => {
    if (event.type === 'task.opened') taskMachine.getInitialSnapshot(scope, event);
    else if (before !== null) taskMachine.transition(machineSnapshot(before), event, scope);
    return taken.splice(0);
  };
};
