import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { isAtRest } from '../../machines/judge.ts';
import { planFile } from '../projections/plan-file.ts';
import { writeWhole } from './write-whole.ts';

/** Keeps `plan.json` and `MISSION.md` in a session's folder like its task (SPEC 10, file-based planning). */
export interface Mirror {
  /**
   * The task has moved on. Writes follow one another, and only the newest state is written when several came meanwhile;
   * when the task answers or rests, the promise settles once the files are as the reply will say.
   */
  note(
    session: { owner: string; session_id: string },
    task: TaskSnapshot,
    isAnswering: boolean,
  ): Promise<void> | undefined;
}

/** One session's files being written. */
interface Writing {
  /** The newest state that is not written yet. */
  next: TaskSnapshot | null;
  /** Settles when somebody waits for the files. */
  hurried: Promise<void>;
  hurry(): void;
  done: Promise<void>;
}

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** The text of MISSION.md, told when the task comes to rest. */
  missionOf(task: TaskSnapshot): string;
  log: Logger;
}

/** How long a change may wait for the next one before it is written, in milliseconds: a burst of steps is one write. */
const QUIET_MS = 250;

/** Files appear with a task's first tool action, so a turn that needs no tool leaves none. */
const hasActed = ({ state, context }: TaskSnapshot): boolean =>
  state === 'acting' ||
  context.successful_steps + context.failed_steps > 0 ||
  // A first action that was cut off leaves no observation.
  (context.last_thought_snapshot?.next_action ?? null) !== null;

/** Makes a mirror. A file that can't be written is logged, and never stops a task. */
export const createMirror = ({ workspaceOf, missionOf, log }: MirrorParts): Mirror => {
  const writing = new Map<string, Writing>();

  const write = async (owner: string, sessionId: string, task: TaskSnapshot): Promise<void> => {
    try {
      const folder = workspaceOf(owner, sessionId);
      await writeWhole(join(folder, 'plan.json'), `${JSON.stringify(planFile(task), null, 2)}\n`);
      if (isAtRest(task.state)) await writeWhole(join(folder, 'MISSION.md'), missionOf(task));
    } catch (error) {
      log.error({ err: error, session_id: sessionId }, 'the session folder can not be written');
    }
  };

  const run = async (owner: string, sessionId: string, key: string, own: Writing): Promise<void> => {
    for (let task = own.next; task !== null; task = own.next) {
      await Promise.race([pause(QUIET_MS), own.hurried]);
      const newest: TaskSnapshot = own.next ?? task;
      own.next = null;
      await write(owner, sessionId, newest);
    }
    writing.delete(key);
  };

  const start = (owner: string, sessionId: string, key: string, task: TaskSnapshot): Writing => {
    const { promise: hurried, resolve: hurry } = Promise.withResolvers<void>();
    const own: Writing = { next: task, hurried, hurry, done: Promise.resolve() };
    writing.set(key, own);
    own.done = run(owner, sessionId, key, own);
    return own;
  };

  return {
    note: ({ owner, session_id }, task, isAnswering) => {
      if (!hasActed(task)) return undefined;
      const key = `${owner}~${session_id}`;
      const own = writing.get(key) ?? start(owner, session_id, key, task);
      own.next = task;
      // Whoever brings a task to rest is told so, be it by no turn's reply.
      if (!isAnswering && !isAtRest(task.state)) return undefined;
      own.hurry();
      return own.done;
    },
  };
};
