import { join } from 'node:path';
import type { Logger } from 'pino';
import { isSettled, type TaskContext, type TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { queueByKey } from '../lib/queue-by-key.ts';
import { type DecisionLog, emptyLog, mission, withDecision } from '../projections/mission-file.ts';
import { planFile } from '../projections/plan-file.ts';
import { leaveOtherPlan } from './plan-takeover.ts';
import type { Session } from './port.ts';
import type { StoredFolders } from './stored-folders.ts';
import { replaceText } from './write-file.ts';

/** The part of a task's history entry that the log of decisions needs. */
type MissionEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** Longest time from a change of a running task to plan.json, in milliseconds, where that was not written within `PAUSE_MS`. */
const PLAN_MS = 250;

/** Shortest time between two writes of a file whose task runs, in milliseconds: people read no faster. */
const PAUSE_MS = 1_000;

/** plan.json appears with a task's first tool action, so a turn without a tool leaves none. */
const hasActed = ({ state, context }: TaskSnapshot): boolean =>
  state === 'acting' ||
  context.successful_steps + context.failed_steps > 0 ||
  // A first action that was interrupted leaves no observation; one that waits for approval has not run.
  ((context.last_thought_snapshot?.next_action ?? null) !== null && pendingAction(context) === null);

/** MISSION.md appears when a task starts the first item of its plan. */
const hasBegun = ({ context }: TaskSnapshot): boolean =>
  context.rounds_item_id !== null || context.past_items.length > 0;

/** Makes a timer that does its work once, within the time of the first call that asks for it. */
const createDue = (work: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  /** Gives whether the work was due. */
  const drop = (): boolean => {
    const wasDue = timer !== undefined;
    clearTimeout(timer);
    timer = undefined;
    return wasDue;
  };
  const soon = (ms: number): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      work();
    }, ms);
  };
  return { soon, drop, isWaiting: (): boolean => timer !== undefined };
};

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /**
   * Stored folders, of which the folders here are copies. A file is written once the folder is laid out, and stored
   * when its task settles.
   */
  folders?: StoredFolders | null;
  eventsOf(taskId: string): AsyncIterable<MissionEntry>;
  log: Logger;
}

/** A session's folder while its files follow its tasks. Once it is closed nothing more is written there. */
interface FolderInUse {
  readonly session: Session;
  isClosed: boolean;
  /** Resolves once plan.json shows the task whose turn was answered last; null where it does. */
  showing: Promise<void> | null;
  /** Resolves once the files are written as the tasks before this one left them. */
  left: Promise<unknown>;
}

/**
 * Makes the keeper of `plan.json` and `MISSION.md`, which follow a session's task (SPEC 10). It writes aside, one write of a session at a time, and
 * never brings back a folder that was removed. Never throws or rejects; faults are logged once a minute.
 */
export const createMirror = ({ workspaceOf, folders = null, eventsOf, log }: MirrorParts) => {
  const isWorthALine = onceAMinute();
  const inTurn = queueByKey();
  const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;
  /** All that is to be done before the service may end. */
  const underWay = new Set<Promise<void>>();
  const track = (work: Promise<void>): Promise<void> => {
    const tracked: Promise<void> = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  };

  /** Does work with the folder behind what is done with it already, also for a session of the same name that was removed. */
  const enqueue = (folder: FolderInUse, work: () => Promise<void>): Promise<void> => {
    const { session } = folder;
    const failed = (error: unknown): void => {
      if (folder.isClosed || !isWorthALine()) return;
      const line = 'the session folder cannot be written; further failures are logged once a minute';
      log.error({ err: error, session_id: session.session_id }, line);
    };
    const unlessClosed = async (): Promise<void> => {
      if (!folder.isClosed) await work();
    };
    return track(inTurn(keyOf(session), unlessClosed).catch(failed));
  };

  /** The files of one session while they follow one of its tasks. */
  const follow = (folder: FolderInUse, { task_id, language }: TaskContext, onIdle: () => void) => {
    const { session } = folder;
    const { owner, session_id } = session;
    let task: TaskSnapshot;
    /** It continues the plan of another system, which it replaces at once. */
    let isTakeover = false;
    /** It was opened since this follows it. */
    let isNew = false;
    let hasWritten = false;
    let hasWrittenPlan = false;
    let planWrittenAt = Number.NEGATIVE_INFINITY;
    /** The task's decisions; null: they have to be read first. */
    let decisions: DecisionLog | null = null;

    const write = (name: 'plan.json' | 'MISSION.md', text: () => string): Promise<void> =>
      enqueue(folder, async () => {
        const replace = async (): Promise<void> => {
          const root = workspaceOf(owner, session_id);
          if (name === 'plan.json' && !hasWrittenPlan) await leaveOtherPlan(root, task_id, isNew);
          if (folder.isClosed) return;
          await replaceText(join(root, name), text(), () => folder.isClosed);
          hasWritten = true;
          hasWrittenPlan ||= name === 'plan.json';
        };
        if (folders?.isLaidOut(session) === false) await folders.within(session, null, replace);
        else await replace();
      });

    const save = (): Promise<void> =>
      enqueue(folder, async () => {
        if (hasWritten) await folders?.within(session, null, async (folderOf) => void folderOf(owner, session_id));
      });

    /** The task has settled: once its files are written it is forgotten, unless it has moved on meanwhile. */
    const idle = async (): Promise<void> => {
      const shown = task;
      await folder.left;
      await save();
      if (task === shown && !missionMd.isWaiting()) onIdle();
    };

    const readDecisions = async (): Promise<DecisionLog> => {
      let read = emptyLog;
      for await (const entry of eventsOf(task_id)) read = withDecision(read, entry, language);
      return read;
    };

    const writePlan = (): Promise<void> => {
      planWrittenAt = performance.now();
      return write('plan.json', () => `${JSON.stringify(planFile(task), null, 2)}\n`);
    };
    const writeMission = async (): Promise<void> => {
      const shown = task;
      try {
        const read = decisions ?? (await readDecisions());
        // Changes that arrived meanwhile are written soon.
        if (task !== shown) return;
        decisions = read;
        await write('MISSION.md', () => mission(task, decisions ?? read));
      } catch (error) {
        log.error({ err: error, session_id }, 'the decisions of a task cannot be read for its MISSION.md');
      }
    };
    const writeMissionAndSettle = async (): Promise<void> => {
      await writeMission();
      if (isSettled(task.state)) await idle();
    };
    const planJson = createDue(() => void writePlan());
    const missionMd = createDue(() => void track(writeMissionAndSettle()));

    /** Writes plan.json where it is due, for a turn whose reply waits for it. */
    const showPlan = (): void => {
      if (!planJson.drop()) return;
      const shown = writePlan();
      folder.showing = shown;
      void shown.then(() => {
        if (folder.showing === shown) folder.showing = null;
      });
    };

    return {
      task_id,
      note: (moved: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void => {
        task = moved;
        for (const { seq, event } of entries) {
          isNew ||= event.type === 'task.opened';
          if (event.type === 'task.opened') decisions = emptyLog;
          if (event.type === 'task.opened') isTakeover = event.left_steps !== undefined;
          decisions &&= withDecision(decisions, { seq, event }, language);
        }
        const pauseMs = planWrittenAt + PAUSE_MS - performance.now();
        if (hasActed(task) || isTakeover) planJson.soon(Math.max(PLAN_MS, pauseMs));
        if (hasBegun(task)) missionMd.soon(PAUSE_MS);
        if (isAnswering || (isTakeover && !hasWrittenPlan) || isSettled(task.state)) showPlan();
        if (isSettled(task.state) && !missionMd.isWaiting()) void track(idle());
      },
      drop: (): void => {
        planJson.drop();
        missionMd.drop();
      },
      /** Writes what waits, and resolves once that is written and stored. */
      flush: async (): Promise<void> => {
        if (planJson.drop()) void writePlan();
        if (missionMd.drop()) await writeMission();
        await save();
      },
    };
  };

  interface Followed {
    folder: FolderInUse;
    own: ReturnType<typeof follow>;
  }
  const sessions = new Map<string, Followed>();
  const followerOf = (session: Session, { context }: TaskSnapshot): Followed['own'] => {
    const key = keyOf(session);
    const before = sessions.get(key);
    if (before?.own.task_id === context.task_id) return before.own;
    const folder = before?.folder ?? { session, isClosed: false, showing: null, left: Promise.resolve() };
    if (before !== undefined) folder.left = Promise.all([folder.left, track(before.own.flush())]);
    const own = follow(folder, context, () => {
      if (sessions.get(key)?.own === own) sessions.delete(key);
    });
    sessions.set(key, { folder, own });
    return own;
  };
  const close = (key: string, { folder, own }: Followed): void => {
    folder.isClosed = true;
    own.drop();
    sessions.delete(key);
  };

  return {
    /** The task has moved on: `plan.json` shows it within `PLAN_MS`, or at once when a turn is answered; both files are written once in `PAUSE_MS` while it runs. */
    note: (session: Session, task: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void =>
      followerOf(session, task).note(task, isAnswering, entries),
    /** Resolves once `plan.json` shows what the turns that were answered say; null where it does already. */
    shown: (session: Session): Promise<void> | null => sessions.get(keyOf(session))?.folder.showing ?? null,
    /** The session is removed: nothing more is written for it. */
    forget: (session: Session): void => {
      const key = keyOf(session);
      const followed = sessions.get(key);
      if (followed !== undefined) close(key, followed);
      folders?.forget(session);
    },
    /**
     * Forgets an owner who has moved to another home, with the folders. Before that it writes and stores pending files,
     * unless the home is already lost.
     */
    leave: async (owner: string, isLost: boolean): Promise<void> => {
      for (const [key, followed] of sessions) {
        if (followed.folder.session.owner !== owner) continue;
        if (!isLost) await followed.own.flush();
        close(key, followed);
      }
      folders?.leave(owner);
    },
    /** Writes all that waits, and resolves once nothing is under way. */
    stop: async (): Promise<void> => {
      for (const { own } of sessions.values()) void track(own.flush());
      while (underWay.size > 0) await Promise.all(underWay);
      sessions.clear();
    },
  };
};

export type Mirror = ReturnType<typeof createMirror>;
