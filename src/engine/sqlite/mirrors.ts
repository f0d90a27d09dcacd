import type { Task } from '../../../machines/step.ts';
import type { SessionRow } from './rows.ts';

/** Tells somebody outside, such as a file in the session's folder, where a session's task stands; a promise holds replies back. */
export type TaskMoved = (row: SessionRow, task: Task, isAnswering: boolean) => Promise<void> | undefined;

/** What is being told outside, so that no reply goes out before it is done, whoever asks for the reply. */
export interface Mirrors {
  note: TaskMoved;
  /** Settles when nothing of the session is under way. */
  settled(sessionRow: number): Promise<void> | undefined;
}

/** Makes an empty set. */
export const createMirrors = (moved: TaskMoved): Mirrors => {
  const underWay = new Map<number, Promise<void>>();
  return {
    note: (row, task, isAnswering) => {
      const told = moved(row, task, isAnswering);
      if (told === undefined) return undefined;
      const done = told.finally(() => {
        if (underWay.get(row.id) === done) underWay.delete(row.id);
      });
      underWay.set(row.id, done);
      return done;
    },
    settled: (sessionRow) => underWay.get(sessionRow),
  };
};
