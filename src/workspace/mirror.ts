import { existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { PLAN_FILES_KEPT } from '../../contracts/limits.ts';
import { isSettled, type TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { pendingAction } from '../../machines/questions.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { type DecisionLog, emptyLog, mission, withDecision } from '../projections/mission-file.ts';
import { planFile } from '../projections/plan-file.ts';
import { planOwner } from './left-plan.ts';
import { writeFileWhole } from './write-file.ts';

/** A session, by its owner and name. */
interface Session {
  owner: string;
  session_id: string;
}

/** An entry of a task's history, as far as the log of decisions goes. */
type MissionEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** Keeps `plan.json` and `MISSION.md` in a session's folder like its task (SPEC 10, file-based planning). Never throws. */
export interface Mirror {
  /**
   * The task has moved on. `plan.json` shows it within `PLAN_MS`, or before this returns when the task settles or one of its turns is
   * answered; `MISSION.md` follows within `MISSION_MS`. `entries` are those of the task that were stored with it.
   */
  note(session: Session, task: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void;
  /** The session is removed: nothing more is written of it. */
  forget(session: Session): void;
  /** Writes all that waits. */
  stop(): Promise<void>;
}

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** A task's events in order. */
  eventsOf(taskId: string): AsyncIterable<MissionEntry>;
  log: Logger;
}

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

/**
 * Before a task writes `plan.json` for the first time: leaves another one beside it as `plan.<its id>.json` (SPEC 10), and removes this
 * task's own that another one left there. The newest `PLAN_FILES_KEPT` of tasks stay, and all of other systems.
 */
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

/** Makes a mirror. A file that can't be written is logged, one a minute, and never stops a task. */
export const createMirror = ({ workspaceOf, eventsOf, log }: MirrorParts): Mirror => {
  const isWorthALine = onceAMinute();

  /** The files of one session, which follow its task. */
  const open = ({ owner, session_id }: Session, first: TaskSnapshot, onIdle: () => void) => {
    let task = first;
    /** Contents of each file. */
    let planTask = first;
    let missionOf: { task: TaskSnapshot; decisions: DecisionLog | null } = { task: first, decisions: null };
    /** The task that plan.json is known to be of. */
    let planOf: string | null = null;
    /** The task that goes on with the plan of another system, which it takes the place of at once. */
    let tookOver: string | null = null;
    /** The task's decisions; null where they are to be read first. */
    let decisions: DecisionLog | null = null;
    let isRemoved = false;
    const written = new Map<string, string>();

    /** The folder as it was last found. */
    let found: string | null = null;

    const write = (name: string, text: (folder: string) => string): void => {
      if (isRemoved) return;
      const isKnown = found !== null;
      try {
        const folder = found ?? workspaceOf(owner, session_id);
        found = folder;
        const content = text(folder);
        if (written.get(name) === content) return;
        writeFileWhole(join(folder, name), content);
        written.set(name, content);
      } catch (error) {
        // Its folder may have been removed since it was found, or as it was written.
        found = null;
        if (isKnown) return write(name, text);
        if (isRemoved || !isWorthALine()) return;
        const line = 'the session folder can not be written; of others there is a line a minute';
        log.error({ err: error, session_id }, line);
      }
    };

    const plan = createDue(() =>
      write('plan.json', (folder) => {
        const { task_id } = planTask.context;
        if (planOf !== task_id) leaveOtherPlan(folder, task_id);
        planOf = task_id;
        return `${JSON.stringify(planFile(planTask), null, 2)}\n`;
      }),
    );

    const readDecisions = async ({ context }: TaskSnapshot): Promise<DecisionLog> => {
      let read = emptyLog;
      for await (const entry of eventsOf(context.task_id)) read = withDecision(read, entry, context.language);
      return read;
    };

    const missionFile = createDue(async () => {
      const shown = missionOf;
      try {
        const read = shown.decisions ?? (await readDecisions(shown.task));
        // Changes that came meanwhile are written soon.
        if (missionOf !== shown) return;
        if (task === shown.task) decisions = read;
        write('MISSION.md', () => mission(shown.task, read));
      } catch (error) {
        log.error({ err: error, session_id }, 'the decisions of a task can not be read for its MISSION.md');
      }
      if (isSettled(task.state)) onIdle();
    });

    return {
      note: (moved: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void => {
        const isOther = moved.context.task_id !== task.context.task_id;
        task = moved;
        if (isOther) {
          void missionFile.now();
          decisions = null;
        }
        let isTakeover = false;
        for (const entry of entries) {
          if (entry.event.type === 'task.opened') {
            decisions = emptyLog;
            isTakeover = entry.event.left_steps !== undefined;
          }
          if (decisions !== null) decisions = withDecision(decisions, entry, task.context.language);
        }
        if (isTakeover) tookOver = task.context.task_id;
        if (hasActed(task) || tookOver === task.context.task_id) {
          planTask = task;
          plan.soon(PLAN_MS);
        }
        if (hasBegun(task)) {
          missionOf = { task, decisions };
          missionFile.soon(MISSION_MS);
        }
        if (isAnswering || isTakeover || isSettled(task.state)) plan.now();
        if (isSettled(task.state) && !missionFile.isWaiting()) onIdle();
      },
      remove: (): void => {
        isRemoved = true;
        plan.drop();
        missionFile.drop();
      },
      flush: (): Promise<void> | undefined => {
        plan.now();
        return missionFile.now();
      },
    };
  };

  const sessions = new Map<string, ReturnType<typeof open>>();
  const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;
  const opened = (session: Session, task: TaskSnapshot): ReturnType<typeof open> => {
    const key = keyOf(session);
    const own = open(session, task, () => sessions.delete(key));
    sessions.set(key, own);
    return own;
  };

  return {
    note: (session, task, isAnswering, entries) => {
      const own = sessions.get(keyOf(session)) ?? opened(session, task);
      own.note(task, isAnswering, entries);
    },
    forget: (session) => {
      sessions.get(keyOf(session))?.remove();
      sessions.delete(keyOf(session));
    },
    stop: async () => {
      await Promise.all([...sessions.values()].map((own) => own.flush()));
      sessions.clear();
    },
  };
};
