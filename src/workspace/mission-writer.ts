import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { type DecisionLog, emptyLog, withDecision } from '../projections/decision-log.ts';
import { mission } from '../projections/mission-file.ts';
import { queueByKey } from '../queue-by-key.ts';
import { throttleByKey } from './throttle-by-key.ts';

/** Longest time that MISSION.md is behind its task, and least time between two of a session's, in milliseconds: people read no faster. */
const MISSION_MS = 1_000;

/** Writes each session's MISSION.md. */
export interface MissionWriter {
  /** The task has moved on and goes on: the file is as it is now, or newer, within a second. */
  soon(session: SessionFiles, task: TaskSnapshot): void;
  /** The task is settled: the file is written now, or within a second where that was done only just before. Resolves when a write that begins now has ended. */
  now(session: SessionFiles, task: TaskSnapshot): Promise<void>;
  /** What waits of a session is not written. */
  drop(key: string): void;
  /** Begins all writes that wait. */
  flush(): void;
}

/** A session whose files are kept; `key` is no other session's. */
export interface SessionFiles {
  owner: string;
  session_id: string;
  key: string;
}

export interface MissionParts {
  /** A task's events behind a seq, in order. */
  eventsOf(taskId: string, after: number): AsyncIterable<{ seq: number; event: TaskEvent | TaskOpened }>;
  /** Puts a text in its place; never rejects. The text is made when its turn comes. */
  write(session: SessionFiles, name: 'MISSION.md', text: () => Promise<string>): Promise<void>;
}

/** Makes the writer. While a task runs its log of decisions is kept, so that each write reads only the events since the last one. */
export const createMissionWriter = ({ eventsOf, write }: MissionParts): MissionWriter => {
  const logs = new Map<string, { task_id: string; log: DecisionLog }>();
  const waiting = new Map<string, { session: SessionFiles; task: TaskSnapshot; timer: NodeJS.Timeout }>();
  const settled = throttleByKey(MISSION_MS);
  const inTurn = queueByKey();

  const textOf = async (key: string, task: TaskSnapshot, isLast: boolean): Promise<string> => {
    const { task_id, language } = task.context;
    const known = logs.get(key);
    let log = known?.task_id === task_id ? known.log : emptyLog;
    for await (const entry of eventsOf(task_id, log.seq)) log = withDecision(log, entry, language);
    if (isLast) logs.delete(key);
    else logs.set(key, { task_id, log });
    return mission(task, log);
  };
  const writeNow = (session: SessionFiles, task: TaskSnapshot, isLast: boolean): Promise<void> =>
    inTurn(session.key, () => write(session, 'MISSION.md', () => textOf(session.key, task, isLast)));

  const unschedule = (key: string): void => {
    clearTimeout(waiting.get(key)?.timer);
    waiting.delete(key);
  };
  const writeWaiting = (key: string): void => {
    const own = waiting.get(key);
    unschedule(key);
    if (own !== undefined) void writeNow(own.session, own.task, false);
  };

  return {
    soon: (session, task) => {
      const { key } = session;
      settled.drop(key);
      const own = waiting.get(key);
      if (own === undefined) waiting.set(key, { session, task, timer: setTimeout(writeWaiting, MISSION_MS, key) });
      else own.task = task;
    },
    now: (session, task) => {
      unschedule(session.key);
      let writing = Promise.resolve();
      settled.run(session.key, () => {
        writing = writeNow(session, task, true);
      });
      return writing;
    },
    drop: (key) => {
      unschedule(key);
      settled.drop(key);
      logs.delete(key);
    },
    flush: () => {
      settled.flush();
      for (const key of [...waiting.keys()]) writeWaiting(key);
    },
  };
};
