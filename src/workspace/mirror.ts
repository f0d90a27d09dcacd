import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { isAtRest } from '../../machines/judge.ts';
import { planFile } from '../projections/plan-file.ts';
import { writeWhole } from './write-whole.ts';

/** Keeps `plan.json` and `MISSION.md` in a session's folder like its task (SPEC 10, file-based planning). */
export interface Mirror {
  /**
   * The task has moved on. Writes follow one another, and only the newest state is written when several came meanwhile;
   * when the task answers, the promise settles once the files are as the reply will say.
   */
  note(
    session: { owner: string; session_id: string },
    task: TaskSnapshot,
    isAnswering: boolean,
  ): Promise<void> | undefined;
}

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** The text of MISSION.md, told when the task comes to rest. */
  missionOf(owner: string, task: TaskSnapshot): string;
  log: Logger;
}

/** Files appear with a task's first tool action, so a turn that needs no tool leaves none. */
const hasActed = ({ state, context }: TaskSnapshot): boolean =>
  state === 'acting' || context.successful_steps + context.failed_steps > 0;

/** Makes a mirror. A file that can't be written is logged, and never stops a task. */
export const createMirror = ({ workspaceOf, missionOf, log }: MirrorParts): Mirror => {
  const writing = new Map<string, { next: TaskSnapshot | null; done: Promise<void> }>();

  const write = async (owner: string, sessionId: string, task: TaskSnapshot): Promise<void> => {
    try {
      const folder = workspaceOf(owner, sessionId);
      await writeWhole(join(folder, 'plan.json'), `${JSON.stringify(planFile(task), null, 2)}\n`);
      if (isAtRest(task.state)) await writeWhole(join(folder, 'MISSION.md'), missionOf(owner, task));
    } catch (error) {
      log.error({ err: error, session_id: sessionId }, 'the session folder can not be written');
    }
  };

  const run = async (owner: string, sessionId: string, key: string, first: TaskSnapshot): Promise<void> => {
    for (let task: TaskSnapshot | null = first; task !== null; ) {
      await write(owner, sessionId, task);
      const current = writing.get(key);
      task = current?.next ?? null;
      if (current !== undefined) current.next = null;
    }
    writing.delete(key);
  };

  return {
    note: ({ owner, session_id }, task, isAnswering) => {
      if (!hasActed(task)) return undefined;
      const key = `${owner}~${session_id}`;
      const current = writing.get(key);
      if (current !== undefined) current.next = task;
      else {
        const started = { next: null, done: Promise.resolve() };
        writing.set(key, started);
        started.done = run(owner, session_id, key, task);
      }
      return isAnswering ? writing.get(key)?.done : undefined;
    },
  };
};
