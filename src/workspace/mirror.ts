import { existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { isSettled, type TaskContext, type TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { pendingAction } from '../../machines/questions.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { type DecisionLog, emptyLog, mission, withDecision } from '../projections/mission-file.ts';
import { planFile } from '../projections/plan-file.ts';
import { planOwner } from './left-plan.ts';
import type { Session } from './port.ts';
import type { StoredFolders } from './stored-folders.ts';
import { writeFileWhole } from './write-file.ts';

/** Plans of other tasks that stay in a session's folder as `plan.<task_id>.json`, of those opened last (SPEC 10): a tenth of the files that it may have. */
export const PLAN_FILES_KEPT = 100;

/** An entry of a task's history, as far as the log of decisions goes. */
type MissionEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** Longest time that plan.json is behind a task that runs, in milliseconds: a burst of steps is one write. */
const PLAN_MS = 250;

/** Longest time that MISSION.md is behind its task, in milliseconds: people read no faster. */
const MISSION_MS = 1_000;

/** plan.json appears with a task's first tool action, so a turn that needs no tool leaves none. */
const hasActed = ({ state, context }: TaskSnapshot): boolean =>
  state === 'acting' ||
  context.successful_steps + context.failed_steps > 0 ||
  // A first action that was cut off leaves no observation; one that waits for approval has not run.
  ((context.last_thought_snapshot?.next_action ?? null) !== null && pendingAction(context) === null);

/** MISSION.md appears with a task's first step: an item of its plan that is begun. */
const hasBegun = ({ context }: TaskSnapshot): boolean =>
  context.rounds_item_id !== null || context.past_items.length > 0;

/** Work that is done once, within a time of the first call that asks for it. */
const createDue = <Result>(work: () => Result) => {
  let timer: NodeJS.Timeout | undefined;
  const drop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const now = (): Result | undefined => {
    if (timer === undefined) return undefined;
    drop();
    return work();
  };
  const soon = (ms: number): void => {
    timer ??= setTimeout(now, ms);
  };
  return { soon, now, drop, isWaiting: () => timer !== undefined };
};

/** The plans of other tasks in a folder; ids of tasks sort by when these were opened. */
const OTHER_PLAN = /^plan\.task_[0-9a-z]{1,40}\.json$/;

/** Before a task first writes `plan.json`: leaves another's beside it as `plan.<its id>.json`, and removes its own that was left there (SPEC 10). */
export const leaveOtherPlan = (folder: string, taskId: string): void => {
  const plan = join(folder, 'plan.json');
  const planOf = (id: string): string => join(folder, `plan.${id}.json`);
  const other = planOwner(plan);
  if (other === null || other.id === taskId) return;
  let { id } = other;
  if (other.isTask) rmSync(planOf(id), { force: true });
  else for (let n = 2; existsSync(planOf(id)); n += 1) id = `${other.id}.${n}`;
  // The next write takes the place of plan.json by rename, and leaves the file under this name.
  linkSync(plan, planOf(id));
  rmSync(planOf(taskId), { force: true });
  const plans = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => OTHER_PLAN.test(name));
  const files = plans.filter((entry) => entry.isFile()).map(({ name }) => name);
  for (const name of files.sort().slice(0, -PLAN_FILES_KEPT)) rmSync(join(folder, name), { force: true });
};

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** Keeps the folders, where they are copies; a file is written once the folder is laid out, and stored when its task settles. */
  folders?: StoredFolders | null;
  eventsOf(taskId: string): AsyncIterable<MissionEntry>;
  log: Logger;
}

/** Makes the keeper of `plan.json` and `MISSION.md`, which follow a session's task (SPEC 10). Never throws; faults are logged once a minute. */
export const createMirror = ({ workspaceOf, folders = null, eventsOf, log }: MirrorParts) => {
  const isWorthALine = onceAMinute();

  /** The files of one session, while they follow one task of it. */
  const follow = (session: Session, { task_id, language }: TaskContext, onIdle: () => void) => {
    const { owner, session_id } = session;
    let task: TaskSnapshot;
    /** It goes on with the plan of another system, which it takes the place of at once. */
    let isTakeover = false;
    let hasWritten = false;
    let hasWrittenPlan = false;
    /** The task's decisions; null where they are to be read first. */
    let decisions: DecisionLog | null = null;
    let isRemoved = false;

    const failed = (error: unknown): void => {
      if (isRemoved || !isWorthALine()) return;
      const line = 'the session folder can not be written; of others there is a line a minute';
      log.error({ err: error, session_id }, line);
    };

    const write = (name: string, text: string): void => {
      if (isRemoved) return;
      if (folders?.isLaidOut(session) === false)
        return void folders.within(session, null, async () => write(name, text)).catch(failed);
      try {
        const folder = workspaceOf(owner, session_id);
        if (name === 'plan.json' && !hasWrittenPlan) leaveOtherPlan(folder, task_id);
        writeFileWhole(join(folder, name), text);
        hasWritten = true;
        hasWrittenPlan ||= name === 'plan.json';
      } catch (error) {
        failed(error);
      }
    };

    const save = async (): Promise<void> => {
      if (hasWritten)
        await folders?.within(session, null, async (folderOf) => void folderOf(owner, session_id)).catch(failed);
    };
    const idle = async (): Promise<void> => {
      const shown = task;
      if (folders !== null) await save();
      if (task === shown) onIdle();
    };

    const readDecisions = async (): Promise<DecisionLog> => {
      let read = emptyLog;
      for await (const entry of eventsOf(task_id)) read = withDecision(read, entry, language);
      return read;
    };

    const planJson = createDue(() => write('plan.json', `${JSON.stringify(planFile(task), null, 2)}\n`));
    const writeMission = async (): Promise<void> => {
      const shown = task;
      try {
        const read = decisions ?? (await readDecisions());
        // Changes that came meanwhile are written soon.
        if (task !== shown) return;
        decisions = read;
        write('MISSION.md', mission(task, read));
      } catch (error) {
        log.error({ err: error, session_id }, 'the decisions of a task can not be read for its MISSION.md');
      }
    };
    const missionMd = createDue(async () => {
      await writeMission();
      if (isSettled(task.state)) void idle();
    });

    return {
      task_id,
      note: (moved: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void => {
        task = moved;
        for (const { seq, event } of entries) {
          if (event.type === 'task.opened') decisions = emptyLog;
          if (event.type === 'task.opened') isTakeover = event.left_steps !== undefined;
          decisions &&= withDecision(decisions, { seq, event }, language);
        }
        if (hasActed(task) || isTakeover) planJson.soon(PLAN_MS);
        if (hasBegun(task)) missionMd.soon(MISSION_MS);
        if (isAnswering || (isTakeover && !hasWrittenPlan) || isSettled(task.state)) planJson.now();
        if (isSettled(task.state) && !missionMd.isWaiting()) void idle();
      },
      remove: (): void => {
        isRemoved = true;
        planJson.drop();
        missionMd.drop();
      },
      flush: async (): Promise<void> => {
        planJson.now();
        const isDue = missionMd.isWaiting();
        missionMd.drop();
        if (isDue) await writeMission();
        await save();
      },
    };
  };

  const sessions = new Map<string, ReturnType<typeof follow>>();
  const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;
  const followerOf = (session: Session, { context }: TaskSnapshot): ReturnType<typeof follow> => {
    const key = keyOf(session);
    const before = sessions.get(key);
    if (before?.task_id === context.task_id) return before;
    void before?.flush();
    const own = follow(session, context, () => {
      if (sessions.get(key) === own) sessions.delete(key);
    });
    sessions.set(key, own);
    return own;
  };

  return {
    /** The task has moved on: `plan.json` shows it within `PLAN_MS`, or at once when a turn is answered; `MISSION.md` within `MISSION_MS`. */
    note: (session: Session, task: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void =>
      followerOf(session, task).note(task, isAnswering, entries),
    /** The session is removed: nothing more is written of it. */
    forget: (session: Session): void => {
      sessions.get(keyOf(session))?.remove();
      sessions.delete(keyOf(session));
      folders?.forget(session);
    },
    /** Forgets an owner who is at home elsewhere, with the folders; writes and stores what waits before, unless the home is lost already. */
    leave: async (owner: string, isLost: boolean): Promise<void> => {
      for (const [key, own] of sessions) {
        if (key.slice(0, key.lastIndexOf('~')) !== owner) continue;
        if (!isLost) await own.flush();
        own.remove();
        sessions.delete(key);
      }
      folders?.leave(owner);
    },
    stop: async (): Promise<void> => {
      await Promise.all([...sessions.values()].map((own) => own.flush()));
      sessions.clear();
    },
  };
};

export type Mirror = ReturnType<typeof createMirror>;
