import { isDeepStrictEqual } from 'node:util';
import { Effect } from '../../../contracts/effect.ts';
import { TaskEvent, TaskOpened } from '../../../contracts/event.ts';
import type { TaskState } from '../../../contracts/task.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import type { Task } from '../../../machines/step.ts';
import { ServiceError } from '../../errors.ts';
import type { EntryRow } from './rows.ts';

/** The ids that a fork has in place of the original's. */
export interface ForkIds {
  task_id: string;
  session_id: string;
}

/** A task's entries up to where a fork leaves it. */
export interface ForkHistory {
  opened: TaskOpened;
  /** The events after the first, in order, with the row that each was stored in. */
  rest: { event: TaskEvent; row: EntryRow }[];
  /** The seq of the last of them. */
  at: number;
  /** The last turn that is named: what the task was working on at `at`. */
  turn_id: string;
}

/** The entries up to and including `at`, all of them when it is undefined. Refuses a seq of no entry, and a history that has ended. */
export const cutHistory = (rows: EntryRow[], at: number | undefined): EntryRow[] => {
  const end = at === undefined ? rows.length - 1 : rows.findIndex(({ seq }) => seq === at);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a task has no entries');
  if (end < 0)
    throw new ServiceError(
      'INVALID_REQUEST',
      `Entry ${at} of the session is none of this task's, which are ${first.seq} to ${last.seq}; the task's trace lists them`,
    );
  const cut = rows.slice(0, end + 1);
  const isOver = ({ state }: EntryRow): boolean => isEnded(state as TaskState);
  if (!isOver(cut.at(-1)!)) return cut;
  const before = cut.findLast((row) => !isOver(row))?.seq;
  throw new ServiceError(
    'TASK_FINISHED',
    `The task has ended at entry ${cut.find(isOver)?.seq}, so nothing is left to do there; fork it at ${before} or earlier`,
  );
};

/** An effect's id as it is in the fork: the number stays, the task's id does not. */
const renamed = (effectId: string, from: string, to: string): string =>
  effectId.startsWith(`${from}.`) ? `${to}${effectId.slice(from.length)}` : effectId;

/** Reads a cut history as the fork's own: its task, session and effect ids are the fork's, and nothing else has changed. */
export const rewriteHistory = (rows: EntryRow[], original: string, ids: ForkIds): ForkHistory => {
  const [first, ...later] = rows;
  const opened = { ...TaskOpened.parse(JSON.parse(first!.event)), ...ids };
  const rest = later.map((row) => {
    const event = TaskEvent.parse(JSON.parse(row.event));
    const isOutcome = 'effect_id' in event;
    return { row, event: isOutcome ? { ...event, effect_id: renamed(event.effect_id, original, ids.task_id) } : event };
  });
  const named = rest.flatMap(({ event }) => ('turn_id' in event && event.turn_id !== null ? [event.turn_id] : []));
  return { opened, rest, at: rows.at(-1)!.seq, turn_id: named.at(-1) ?? opened.turn_id };
};

/** True when the fork's fold came to what the original's entry says, but for the ids. */
export const agrees = (row: EntryRow, original: string, task: Task, open: Effect | null): boolean => {
  if (task.state !== row.state || task.context.step_count !== row.step_count) return false;
  if (row.effects === null) return true;
  const [asked] = Effect.array().parse(JSON.parse(row.effects));
  if (asked === undefined) return true;
  return isDeepStrictEqual(open, { ...asked, effect_id: renamed(asked.effect_id, original, task.context.task_id) });
};
