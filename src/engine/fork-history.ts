import { isDeepStrictEqual } from 'node:util';
import type { Effect } from '../../contracts/effect.ts';
import { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskState } from '../../contracts/task.ts';
import { isEnded } from '../../machines/is-settled.ts';
import type { Task } from '../../machines/step.ts';
import { ServiceError } from '../errors.ts';
import { effectsOf, type StoredEntry } from './fold-task.ts';
import type { Fork } from './session-input.ts';

/** The ids that a fork has in place of the original's. */
export interface ForkIds {
  task_id: string;
  session_id: string;
}

/** A task's events up to where a fork leaves it, under the fork's ids. */
export interface ForkHistory extends Pick<Fork, 'opened' | 'first_seq' | 'rest'> {
  /** The seq of the last of them. */
  at: number;
  /** The last turn that is named: what the task was working on at `at`. */
  turn_id: string;
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

/** Reads a cut history as the fork's own: its task, session and effect ids are the fork's, and nothing else has changed. */
export const rewriteHistory = (entries: StoredEntry[], original: string, ids: ForkIds): ForkHistory => {
  const [first, ...later] = entries;
  const opened = { ...stored(first!.event, (value) => TaskOpened.parse(value)), ...ids };
  const rest = later.map((entry) => {
    const event = stored(entry.event, (value) => TaskEvent.parse(value));
    if (!('effect_id' in event)) return { entry, event };
    return { entry, event: { ...event, effect_id: renamed(event.effect_id, original, ids.task_id) } };
  });
  const named = rest.flatMap(({ event }) => ('turn_id' in event && event.turn_id !== null ? [event.turn_id] : []));
  return { opened, first_seq: first!.seq, rest, at: entries.at(-1)!.seq, turn_id: named.at(-1) ?? opened.turn_id };
};

/** True when the fork's fold came to what the original's entry says, but for the ids. */
export const isFoldedAlike = (entry: StoredEntry, original: string, task: Task, open: Effect | null): boolean => {
  if (task.state !== entry.state || task.context.step_count !== entry.step_count) return false;
  const [requested] = effectsOf(entry.effects);
  if (requested === undefined) return true;
  const effect_id = renamed(requested.effect_id, original, task.context.task_id);
  return isDeepStrictEqual(open, { ...requested, effect_id });
};
