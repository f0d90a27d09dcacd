import type { TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { type DecisionLog, emptyLog, withDecision } from '../projections/decision-log.ts';
import { mission } from '../projections/mission-file.ts';
import { throttleByKey } from './throttle-by-key.ts';

/** Longest time that MISSION.md is behind its task, and least time between two of a session's, in milliseconds: people read no faster. */
const MISSION_MS = 1_000;

/** Writes each session's MISSION.md. */
export interface MissionWriter {
  /** Entries of a task that were stored just now, in order: what was taken in is not read again. */
  take(key: string, task: TaskSnapshot, entries: readonly MissionEntry[]): void;
  /** The task has moved on and goes on: the file is as it is now, or newer, within a second. */
  soon(session: SessionFiles, task: TaskSnapshot): void;
  /** The task is settled: the file is written now, or within a second where that was done only just before. Resolves when a write that begins now has ended. */
  now(session: SessionFiles, task: TaskSnapshot): Promise<void>;
  /** What waits of a session is not written. */
  drop(key: string): void;
  /** Begins all writes that wait. */
  flush(): void;
}

/** An entry of a task's history, as far as the log of decisions goes. */
export type MissionEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** A session whose files are kept; `key` is no other session's, `removals` how often one of that name was removed before. */
export interface SessionFiles {
  owner: string;
  session_id: string;
  key: string;
  removals: number;
}

export interface MissionParts {
  /** A task's events behind a seq, in order. */
  eventsOf(taskId: string, after: number): AsyncIterable<MissionEntry>;
  /** Puts a text in its place; never rejects. The text is made when its turn comes. */
  write(session: SessionFiles, name: 'MISSION.md', text: () => Promise<string>): Promise<void>;
}

/** Makes the writer. While a task runs its log of decisions is kept, so that a write reads only the events that it was not given. */
export const createMissionWriter = ({ eventsOf, write }: MissionParts): MissionWriter => {
  /** `newest` is the seq of the task's newest entry as far as it is known. */
  const logs = new Map<string, { task_id: string; log: DecisionLog; newest: number }>();
  const waiting = new Map<string, { session: SessionFiles; task: TaskSnapshot; timer: NodeJS.Timeout }>();
  const settled = throttleByKey(MISSION_MS);
  const inTurn = queueByKey();

  const textOf = async (key: string, task: TaskSnapshot, isLast: boolean): Promise<string> => {
    const { task_id, language } = task.context;
    const kept = logs.get(key);
    const known = kept?.task_id === task_id ? kept : { task_id, log: emptyLog, newest: Number.POSITIVE_INFINITY };
    let { log } = known;
    if (log.seq < known.newest)
      for await (const entry of eventsOf(task_id, log.seq)) log = withDecision(log, entry, language);
    // Entries may have been taken in meanwhile, also those of the session's next task.
    const now = logs.get(key);
    if (now !== kept) return mission(task, log);
    if (isLast) logs.delete(key);
    else logs.set(key, { task_id, log, newest: log.seq });
    return mission(task, log);
  };
  const writeNow = (session: SessionFiles, task: TaskSnapshot, isLast: boolean): Promise<void> =>
    inTurn(session.key, async () => {
      const { key } = session;
      const kept = logs.get(key);
      await write(session, 'MISSION.md', () => textOf(key, task, isLast));
      // No text was made where the folder can not be written.
      if (isLast && logs.get(key) === kept) logs.delete(key);
    });

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
    take: (key, { context: { task_id, language } }, entries) => {
      for (const entry of entries) {
        const known = logs.get(key);
        const isOurs = known?.task_id === task_id;
        // Behind entries that were not given, the log goes on once they are read.
        const isNext = isOurs && known.newest === known.log.seq && entry.seq === known.newest + 1;
        const log = entry.event.type === 'task.opened' ? emptyLog : isNext ? known.log : null;
        if (log !== null) logs.set(key, { task_id, log: withDecision(log, entry, language), newest: entry.seq });
        else if (isOurs) logs.set(key, { ...known, newest: entry.seq });
      }
    },
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
