import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialTransition as xstateInitialTransition, transition as xstateTransition } from 'xstate';
import {
  EventNotAccepted,
  initialTransition,
  machineSnapshot,
  open,
  type Step,
  step,
  type TransitionResult,
  transition,
} from '../../machines/step.ts';
import { taskMachine } from '../../machines/task-machine.ts';
import { eventOf, move, taskOpened } from '../support/machine/random-events.ts';

const HISTORIES = 200;
const MOVES_MAX = 40;

/** All of a result that anybody may rely on; `info` and `exec` are for executing the actions. */
const comparable = ([snapshot, actions]: TransitionResult): string =>
  JSON.stringify([snapshot, actions.map(({ type, params }) => ({ type, params }))]);

const stepOrNull = (...[task, event]: Parameters<typeof step>): Step | null => {
  try {
    return step(task, event);
  } catch (error) {
    if (error instanceof EventNotAccepted) return null;
    throw error;
  }
};

describe('transition', () => {
  it("gives what XState's own transition() gives, all along random histories", () => {
    let compared = 0;
    const histories = fc.property(
      taskOpened,
      fc.array(move, { size: 'max', maxLength: MOVES_MAX }),
      (opened, moves) => {
        expect(comparable(initialTransition(opened))).toBe(comparable(xstateInitialTransition(taskMachine, opened)));
        let { task } = open(opened);
        for (const each of moves) {
          const event = eventOf(task, each);
          const after = stepOrNull(task, event);
          if (after === null) continue;
          const before = machineSnapshot(task);
          const ours = comparable(transition(before, event));
          if (ours !== comparable(xstateTransition(taskMachine, before, event)))
            expect.fail(`differs at ${event.type}`);
          compared += 1;
          task = after.task;
        }
      },
    );
    fc.assert(histories, { numRuns: HISTORIES });
    expect(compared).toBeGreaterThan(HISTORIES);
  });
});
