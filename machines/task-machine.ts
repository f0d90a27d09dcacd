import { initialContext } from './context.ts';
import { outerLoop } from './outer-loop.ts';
import { opened, planning, verifying } from './planning.ts';
import { awaitingUser, cancelled, done, failed, paused } from './settled-states.ts';
import { taskSetup } from './setup.ts';

/** The machine's name and version, on every trace entry. Raise the version when any history would fold differently. */
export const MACHINE = 'tripact-task@4';

/** More microsteps than any one event can cause: past this the machine itself is at fault. */
const MAX_ITERATIONS = 100;

/** One task, from its goal to its end (SPEC 3). Pure: it names its effects, and their outcomes come back as events. */
export const taskMachine = taskSetup.createMachine({
  id: 'task',
  context: ({ input }) => initialContext(input),
  initial: 'opened',
  options: { maxIterations: MAX_ITERATIONS },
  states: {
    opened,
    planning,
    outer: outerLoop,
    verifying,
    awaiting_user: awaitingUser,
    paused,
    done,
    failed,
    cancelled,
  },
  // A late result is written down and changes nothing; without an action XState would call it no transition at all.
  on: { 'result.superseded': { actions: 'changeNothing' } },
});
