import type { PlanItemAnswer } from '../../../contracts/answer.ts';
import type { TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { Task } from '../../../machines/step.ts';

/** Events between two snapshots of a running task, where none is long: loading folds at most this many. */
const SNAPSHOT_EVERY = 50;

/** So many characters of an event take as long to fold as one more event. */
const CHARS_AN_EVENT = 10_000;

/** The same of one more dependency or tool of a plan item, in characters. */
const CHARS_A_NAME = 100;

const charsOfItem = (item: PlanItemAnswer): number => {
  if (typeof item === 'string') return item.length;
  const names = (item.depends_on?.length ?? 0) + (item.tools?.length ?? 0);
  return item.step.length + (item.expected?.length ?? 0) + names * CHARS_A_NAME;
};

const charsOf = (event: TaskEvent | TaskOpened): number => {
  switch (event.type) {
    case 'plan.made':
    case 'replan.made':
      return event.plan.reduce((sum, item) => sum + charsOfItem(item), 0);
    case 'thought.made':
      return (event.response?.length ?? 0) + (event.next_action?.input.length ?? 0);
    case 'observation.recorded':
      return event.input.length + event.result.length;
    default:
      return 0;
  }
};

/** How many events an event counts as, in what a load has to fold. */
export const foldedEvents = (event: TaskEvent | TaskOpened): number => 1 + Math.floor(charsOf(event) / CHARS_AN_EVENT);

/** Characters of a task's observations above which no snapshot of it is made: to write and to read one of 4 million takes 200 ms in one piece, where a history is folded in many. */
const SNAPSHOT_CHARS_MAX = 500_000;

/** True for a task that is short enough for a snapshot; a longer one is folded from its last snapshot on, or from its beginning. */
export const hasSnapshots = ({ context }: Task): boolean =>
  context.observations.reduce((sum, { input, result }) => sum + input.length + result.length, 0) <= SNAPSHOT_CHARS_MAX;

/** True where a load would have to fold so many events that a snapshot is due. */
export const isSnapshotDue = (unsnapped: number): boolean => unsnapped >= SNAPSHOT_EVERY;
