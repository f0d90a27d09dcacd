import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { pendingAction } from '../../machines/approval.ts';
import { isSettled } from '../../machines/is-settled.ts';
import { createCrowdSlices } from '../event-loop/loop-slices.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { planFile } from '../projections/plan-file.ts';
import { createMissionWriter, type MissionEntry, type MissionParts, type SessionFiles } from './mission-writer.ts';
import { leaveOtherPlan } from './plan-takeover.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** Keeps `plan.json` and `MISSION.md` in a session's folder like its task (SPEC 10, file-based planning). */
export interface Mirror {
  /**
   * The task has moved on. What comes in quick succession is written once, in its newest state. When the task answers, this
   * resolves as soon as `plan.json` is as the reply will say, and `MISSION.md` too unless it was written only just before: then it
   * follows within a second. Null when there is nothing to wait for. `entries` are those of the task that were stored with it; others are read.
   */
  note(
    session: { owner: string; session_id: string },
    task: TaskSnapshot,
    isAnswering: boolean,
    entries: readonly MissionEntry[],
  ): Promise<void> | null;
  /** The session is removed: what waits is not written. */
  forget(session: { owner: string; session_id: string }): void;
  /** Resolves when all that waits is written. */
  stop(): Promise<void>;
}

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** A task's events behind a seq, in order. */
  eventsOf: MissionParts['eventsOf'];
  log: Logger;
}

/** How long a change may wait for the next one before it is written, in milliseconds: a burst of steps is one write. */
const QUIET_MS = 250;

/** Sessions whose file is known to show a task: more than run at once on one machine; of another one the file is read first. */
const SHOWN_KEPT = 10_000;

/** Files that are begun in one turn of the event loop at once: the longest plan takes 20 ms, and those of all that run may change in the same moment. */
const WRITES_A_TURN = 4;

/** plan.json appears with a task's first tool action, so a turn that needs no tool leaves none. */
const hasActed = ({ state, context }: TaskSnapshot): boolean =>
  state === 'acting' ||
  context.successful_steps + context.failed_steps > 0 ||
  // A first action that was cut off leaves no observation; one that waits for approval has not run.
  ((context.last_thought_snapshot?.next_action ?? null) !== null && pendingAction(context) === null);

/** MISSION.md appears with a task's first step: an item of its plan that is begun. */
const hasBegun = ({ context }: TaskSnapshot): boolean =>
  context.rounds_item_id !== null || context.past_items.length > 0;

/** A session whose plan.json is older than its task. */
interface Waiting {
  session: SessionFiles;
  task: TaskSnapshot;
  timer: NodeJS.Timeout;
}

/** Makes a mirror. A file that can't be written is logged, one a minute, and never stops a task. */
export const createMirror = ({ workspaceOf, eventsOf, log }: MirrorParts): Mirror => {
  const waiting = new Map<string, Waiting>();
  /** The task that the plan.json of a session is known to show, newest last. */
  const shown = new Map<string, string>();
  const inTurn = queueByKey();
  const inSlices = createCrowdSlices(WRITES_A_TURN);
  const pending = new Set<Promise<void>>();
  const isWorthALine = onceAMinute();

  /** How often a session of a name was removed lately: a write that waits for its turn must not make its folder anew, nor write into that of the next one. */
  const removals = new Map<string, number>();
  const removalsOf = (key: string): number => removals.get(key) ?? 0;

  const write = async (
    { owner, session_id, key, removals: before }: SessionFiles,
    name: string,
    text: (folder: string) => string | Promise<string>,
  ): Promise<void> => {
    await new Promise<void>((begin) => inSlices(begin, owner));
    const isRemoved = (): boolean => removalsOf(key) !== before;
    if (isRemoved()) return;
    try {
      const folder = workspaceOf(owner, session_id);
      const content = await text(folder);
      if (!isRemoved()) await writeFileAtomic(join(folder, name), content);
    } catch (error) {
      // Its folder may have been removed as it was written.
      if (!isRemoved() && isWorthALine())
        log.error(
          { err: error, session_id },
          'the session folder can not be written; of others there is a line a minute',
        );
    }
  };

  const watched = (writing: Promise<void>): Promise<void> => {
    pending.add(writing);
    return writing.finally(() => pending.delete(writing));
  };

  const missions = createMissionWriter({ eventsOf, write: (...file) => watched(write(...file)) });

  /** The text of plan.json, once that of another task is out of its place. */
  const planText = async (key: string, folder: string, task: TaskSnapshot): Promise<string> => {
    const { task_id } = task.context;
    const before = shown.get(key);
    if (before !== task_id) await leaveOtherPlan(folder, task_id, before);
    shown.delete(key);
    shown.set(key, task_id);
    if (shown.size > SHOWN_KEPT) shown.delete(shown.keys().next().value ?? '');
    return `${JSON.stringify(planFile(task), null, 2)}\n`;
  };

  const writeNow = (key: string): Promise<void> | null => {
    const own = waiting.get(key);
    if (own === undefined) return null;
    waiting.delete(key);
    clearTimeout(own.timer);
    const { session, task } = own;
    return watched(inTurn(key, () => write(session, 'plan.json', (folder) => planText(key, folder, task))));
  };

  const schedule = (session: SessionFiles, task: TaskSnapshot): void => {
    const { key } = session;
    const own = waiting.get(key);
    if (own === undefined) waiting.set(key, { session, task, timer: setTimeout(() => void writeNow(key), QUIET_MS) });
    else own.task = task;
  };

  return {
    note: ({ owner, session_id }, task, isAnswering, entries) => {
      const key = `${owner}~${session_id}`;
      missions.take(key, task, entries);
      if (!hasBegun(task)) {
        if (isSettled(task.state)) missions.drop(key);
        return null;
      }
      const session = { owner, session_id, key, removals: removalsOf(key) };
      if (hasActed(task)) schedule(session, task);
      if (!isSettled(task.state)) missions.soon(session, task);
      if (!isAnswering && !isSettled(task.state)) return null;
      const written = [writeNow(key), isSettled(task.state) ? missions.now(session, task) : null];
      return Promise.all(written).then(() => {});
    },
    forget: ({ owner, session_id }) => {
      const key = `${owner}~${session_id}`;
      clearTimeout(waiting.get(key)?.timer);
      waiting.delete(key);
      shown.delete(key);
      missions.drop(key);
      const times = removalsOf(key) + 1;
      removals.delete(key);
      removals.set(key, times);
      if (removals.size > SHOWN_KEPT) removals.delete(removals.keys().next().value ?? '');
    },
    stop: async () => {
      for (const key of [...waiting.keys()]) void writeNow(key);
      missions.flush();
      while (pending.size > 0) await Promise.all(pending);
    },
  };
};
