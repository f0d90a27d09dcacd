import { isDeepStrictEqual } from 'node:util';
import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskState } from '../../contracts/task.ts';
import { isEnded } from '../../machines/is-settled.ts';
import { EventNotAccepted, open, type Step, step } from '../../machines/step.ts';
import { MACHINE } from '../../machines/task-machine.ts';
import { ServiceError } from '../lib/errors.ts';
import { effectsOf, type StoredEntry } from './fold-task.ts';
import type { CopiedEvent } from './session-input.ts';

/** The ids that a fork has in place of the original's. */
export interface ForkIds {
  task_id: string;
  session_id: string;
}

/** The entries up to and including `at`, all of them when it is undefined. Refuses a seq of no entry, and a history that has ended. */
export const cutHistory = (entries: StoredEntry[], at: number | undefined): StoredEntry[] => {
  const end = at === undefined ? entries.length - 1 : entries.findIndex(({ seq }) => seq === at);
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined)
    throw new ServiceError('TASK_NOT_FOUND', 'There is no task of that id');
  if (end < 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `Entry ${at} of the session is none of this task's, which are ${first.seq} to ${last.seq}; the task's trace lists them`,
    );
  const cut = entries.slice(0, end + 1);
  const isOver = ({ state }: StoredEntry): boolean => isEnded(state as TaskState);
  if (!isOver(cut.at(-1)!)) return cut;
  const before = cut.findLast((entry) => !isOver(entry))?.seq;
  throw new ServiceError(
    'TASK_FINISHED',
    `The task has ended at entry ${cut.find(isOver)?.seq}, so nothing is left to do there; fork it at ${before} or earlier`,
  );
};

/** An event as it is stored, and what is read of it. Where both are the same, the fields stay in the order in which they are stored. */
const stored = <Event extends object>(text: string, parse: (value: unknown) => Event): Event => {
  const value: unknown = JSON.parse(text);
  const event = parse(value);
  return isDeepStrictEqual(value, event) ? (value as Event) : event;
};

/** Reads the event that opened a task as the fork's own: its ids are the fork's, and nothing else has changed. */
const rewriteOpened = ({ event }: StoredEntry, ids: ForkIds): TaskOpened => ({
  ...stored(event, (value) => TaskOpened.parse(value)),
  ...ids,
});

/** Reads a later event, which is the fork's as it stands. */
const readEvent = ({ event }: StoredEntry): TaskEvent => stored(event, (value) => TaskEvent.parse(value));

/** True when the fork's fold came to what the original's entry says. */
const isFoldedAlike = (entry: StoredEntry, { task, effects }: Step): boolean =>
  task.state === entry.state &&
  task.context.step_count === entry.step_count &&
  isDeepStrictEqual(effects, effectsOf(entry.effects));

/** Folds a cut history under the ids of a fork. Throws `EventNotAccepted` where this machine folds it differently. */
export const foldFork = (
  ids: ForkIds,
  [first, ...later]: readonly StoredEntry[],
): { opened: CopiedEvent<TaskOpened>; rest: CopiedEvent<TaskEvent>[] } => {
  const event = rewriteOpened(first!, ids);
  let made = open(event);
  const opened = { event, made };
  const rest = later.map((entry) => {
    const next = readEvent(entry);
    made = step(made.task, next);
    if (entry.machine !== MACHINE && !isFoldedAlike(entry, made))
      throw new EventNotAccepted(`entry ${entry.seq} leads elsewhere now`);
    return { event: next, made };
  });
  return { opened, rest };
};
