import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { isSettled } from '../../machines/is-settled.ts';
import { planFile } from '../projections/plan-file.ts';
import { throttleByKey } from './throttle-by-key.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** Keeps `plan.json` and `MISSION.md` in a session's folder like its task (SPEC 10, file-based planning). */
export interface Mirror {
  /**
   * The task has moved on. What comes in quick succession is written once, in its newest state. When the task answers, this
   * resolves as soon as `plan.json` is as the reply will say, and `MISSION.md` too unless it was written only just before: then it
   * follows within a second. Null when there is nothing to wait for.
   */
  note(session: { owner: string; session_id: string }, task: TaskSnapshot, isAnswering: boolean): Promise<void> | null;
  /** The session is removed: what waits is not written. */
  forget(session: { owner: string; session_id: string }): void;
  /** Resolves when all that waits is written. */
  stop(): Promise<void>;
}

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** The text of MISSION.md, written when the task settles. */
  missionOf(task: TaskSnapshot): Promise<string>;
  log: Logger;
}

/** How long a change may wait for the next one before it is written, in milliseconds: a burst of steps is one write. */
const QUIET_MS = 250;

/** Least time between two of a session's MISSION.md, in milliseconds: it is for people, who read no faster. */
const MISSION_MS = 1_000;

/** Files appear with a task's first tool action, so a turn that needs no tool leaves none. */
const hasActed = ({ state, context }: TaskSnapshot): boolean =>
  state === 'acting' ||
  context.successful_steps + context.failed_steps > 0 ||
  // A first action that was cut off leaves no observation.
  (context.last_thought_snapshot?.next_action ?? null) !== null;

/** A session whose plan.json is older than its task. */
interface Waiting {
  owner: string;
  session_id: string;
  task: TaskSnapshot;
  timer: NodeJS.Timeout;
}

/** Makes a mirror. A file that can't be written is logged, and never stops a task. */
export const createMirror = ({ workspaceOf, missionOf, log }: MirrorParts): Mirror => {
  const waiting = new Map<string, Waiting>();
  const missions = throttleByKey(MISSION_MS);
  const pending = new Set<Promise<void>>();

  const write = async (
    owner: string,
    sessionId: string,
    name: string,
    text: () => string | Promise<string>,
  ): Promise<void> => {
    try {
      await writeFileAtomic(join(workspaceOf(owner, sessionId), name), await text());
    } catch (error) {
      log.error({ err: error, session_id: sessionId }, 'the session folder can not be written');
    }
  };

  const watched = (writing: Promise<void>): Promise<void> => {
    pending.add(writing);
    return writing.finally(() => pending.delete(writing));
  };

  const writeNow = (key: string): Promise<void> | null => {
    const own = waiting.get(key);
    if (own === undefined) return null;
    waiting.delete(key);
    clearTimeout(own.timer);
    const { owner, session_id, task } = own;
    return watched(write(owner, session_id, 'plan.json', () => `${JSON.stringify(planFile(task), null, 2)}\n`));
  };

  return {
    note: ({ owner, session_id }, task, isAnswering) => {
      if (!hasActed(task)) return null;
      const key = `${owner}~${session_id}`;
      const own = waiting.get(key);
      if (own === undefined)
        waiting.set(key, { owner, session_id, task, timer: setTimeout(() => void writeNow(key), QUIET_MS) });
      else own.task = task;
      if (!isAnswering && !isSettled(task.state)) return null;
      const written = [writeNow(key)];
      if (isSettled(task.state))
        missions.run(key, () => {
          written.push(watched(write(owner, session_id, 'MISSION.md', () => missionOf(task))));
        });
      return Promise.all(written).then(() => {});
    },
    forget: ({ owner, session_id }) => {
      const key = `${owner}~${session_id}`;
      clearTimeout(waiting.get(key)?.timer);
      waiting.delete(key);
      missions.drop(key);
    },
    stop: async () => {
      for (const key of [...waiting.keys()]) void writeNow(key);
      missions.flush();
      await Promise.all(pending);
    },
  };
};
