import { isDeepStrictEqual } from 'node:util';
import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskState } from '../../contracts/task.ts';
import { isEnded } from '../../machines/is-settled.ts';
import type { Step } from '../../machines/step.ts';
import { ServiceError } from '../lib/errors.ts';
import { effectsOf, type StoredEntry } from './fold-task.ts';

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

/** An effect's id as it is in the fork: the number stays, the task's id does not. */
const renamed = (effectId: string, from: string, to: string): string =>
  effectId.startsWith(`${from}.`) ? `${to}${effectId.slice(from.length)}` : effectId;

/** An event as it is stored, and what is read of it. Where both are the same, the fields stay in the order in which they are stored. */
const stored = <Event extends object>(text: string, parse: (value: unknown) => Event): Event => {
  const value: unknown = JSON.parse(text);
  const event = parse(value);
  return isDeepStrictEqual(value, event) ? (value as Event) : event;
};

/** Reads the event that opened a task as the fork's own: its ids are the fork's, and nothing else has changed. */
export const rewriteOpened = ({ event }: StoredEntry, ids: ForkIds): TaskOpened => ({
  ...stored(event, (value) => TaskOpened.parse(value)),
  ...ids,
});

/** Reads a later event as the fork's own: the id of its effect is the fork's, and nothing else has changed. */
export const rewriteEvent = (entry: StoredEntry, original: string, { task_id }: ForkIds): TaskEvent => {
  const event = stored(entry.event, (value) => TaskEvent.parse(value));
  return 'effect_id' in event ? { ...event, effect_id: renamed(event.effect_id, original, task_id) } : event;
};

/** True when the fork's fold came to what the original's entry says, but for the ids. */
export const isFoldedAlike = (entry: StoredEntry, original: string, { task, effects }: Step): boolean => {
  if (task.state !== entry.state || task.context.step_count !== entry.step_count) return false;
  const [requested] = effectsOf(entry.effects);
  if (requested === undefined) return true;
  const effect_id = renamed(requested.effect_id, original, task.context.task_id);
  return isDeepStrictEqual(effects[0], { ...requested, effect_id });
};
