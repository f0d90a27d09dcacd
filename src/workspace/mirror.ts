import { join } from 'node:path';
import type { Logger } from 'pino';
import { isSettled, type TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { pendingAction } from '../../machines/questions.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import { type DecisionLog, emptyLog, mission, withDecision } from '../projections/mission-file.ts';
import { planFile } from '../projections/plan-file.ts';
import { leaveOtherPlan } from './plan-takeover.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

/** A session, by its owner and name. */
interface Session {
  owner: string;
  session_id: string;
}

/** An entry of a task's history, as far as the log of decisions goes. */
type MissionEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

/** Keeps `plan.json` and `MISSION.md` in a session's folder like its task (SPEC 10, file-based planning). */
export interface Mirror {
  /**
   * The task has moved on. Steps in quick succession are written once, in their newest state. When the task answers, this
   * resolves as soon as `plan.json` is as the reply will say, and `MISSION.md` too unless it was written only just before: then it
   * follows within a second. Null when there is nothing to wait for. `entries` are those of the task that were stored with it; others are read.
   */
  note(
    session: Session,
    task: TaskSnapshot,
    isAnswering: boolean,
    entries: readonly MissionEntry[],
  ): Promise<void> | null;
  /** The session is removed: nothing more is written of it. */
  forget(session: Session): void;
  /** Resolves when all that waits is written. */
  stop(): Promise<void>;
}

export interface MirrorParts {
  workspaceOf(owner: string, sessionId: string): string;
  /** A task's events behind a seq, in order. */
  eventsOf(taskId: string, after: number): AsyncIterable<MissionEntry>;
  log: Logger;
}

/** Longest time that plan.json is behind its task, in milliseconds: a burst of steps is one write. */
const PLAN_MS = 250;

/** Longest time that MISSION.md is behind its task, and least time between two writes of it, in milliseconds: people read no faster. */
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

/** One file of a session: written once at a time, in its newest state, now or at the end of a time. */
class MirroredFile {
  #timer: NodeJS.Timeout | null = null;
  #isStale = false;
  #isResting = false;
  #writes = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #write: () => Promise<void>;
  readonly #onIdle: () => void;

  constructor(write: () => Promise<void>, onIdle: () => void) {
    this.#write = write;
    this.#onIdle = onIdle;
  }

  get isIdle(): boolean {
    return this.#timer === null && this.#writes === 0;
  }

  /** Writes it within so many milliseconds. */
  soon(ms: number): void {
    this.#isStale = true;
    this.#wait(ms);
  }

  /** Writes it now, or at the end of the time since the last such write. Resolves when a write that begins now has ended. */
  atMostEvery(ms: number): Promise<void> {
    this.#isStale = true;
    if (this.#isResting) return Promise.resolve();
    const written = this.flush();
    this.#isResting = true;
    this.#wait(ms);
    return written;
  }

  /** Writes it now where it waits. Resolves when all its writes have ended. */
  flush(): Promise<void> {
    const isStale = this.#isStale;
    this.drop();
    if (isStale) {
      this.#writes += 1;
      this.#last = this.#last.then(this.#write).finally(() => {
        this.#writes -= 1;
      });
    }
    return this.#last;
  }

  /** Writes nothing more that waits. */
  drop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    [this.#timer, this.#isStale, this.#isResting] = [null, false, false];
  }

  #wait(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush().then(this.#onIdle), ms);
  }
}

/** A session whose files follow its task. */
interface Mirrored {
  readonly session: Session;
  isRemoved: boolean;
  /** The newest state of the task that each file shows. */
  task: TaskSnapshot;
  planTask: TaskSnapshot;
  /** The task that plan.json is known to be of. */
  planOf: string | null;
  /** The task's decisions, and the seq of its newest entry: those between the two are read. */
  log: { task_id: string; decisions: DecisionLog; newest: number };
  readonly plan: MirroredFile;
  readonly mission: MirroredFile;
}

/** Makes a mirror. A file that can't be written is logged, one a minute, and never stops a task. */
export const createMirror = ({ workspaceOf, eventsOf, log }: MirrorParts): Mirror => {
  const sessions = new Map<string, Mirrored>();
  const isWorthALine = onceAMinute();
  const keyOf = ({ owner, session_id }: Session): string => `${owner}~${session_id}`;

  const write = async (own: Mirrored, name: string, text: (folder: string) => Promise<string>): Promise<void> => {
    const { owner, session_id } = own.session;
    if (own.isRemoved) return;
    try {
      const folder = workspaceOf(owner, session_id);
      const content = await text(folder);
      if (!own.isRemoved) await writeFileAtomic(join(folder, name), content);
    } catch (error) {
      // Its folder may have been removed as it was written.
      if (!own.isRemoved && isWorthALine())
        log.error(
          { err: error, session_id },
          'the session folder can not be written; of others there is a line a minute',
        );
    }
  };

  const planText = async (own: Mirrored, folder: string): Promise<string> => {
    const { task_id } = own.planTask.context;
    if (own.planOf !== task_id) await leaveOtherPlan(folder, task_id);
    own.planOf = task_id;
    return `${JSON.stringify(planFile(own.planTask), null, 2)}\n`;
  };

  const missionText = async (own: Mirrored): Promise<string> => {
    const { task } = own;
    const { task_id, language } = task.context;
    const {
      log,
      log: { newest },
    } = own;
    let { decisions } = log;
    if (decisions.seq < newest)
      for await (const entry of eventsOf(task_id, decisions.seq)) decisions = withDecision(decisions, entry, language);
    // Entries may have been taken in meanwhile, also those of the session's next task.
    if (own.log === log) own.log = { task_id, decisions, newest: decisions.seq };
    return mission(task, decisions);
  };

  /** Takes in the entries that were stored with a step. Behind entries that were not given, the log goes on once they are read. */
  const take = (own: Mirrored, { context: { task_id, language } }: TaskSnapshot, entries: readonly MissionEntry[]) => {
    if (own.log.task_id !== task_id)
      own.log = { task_id, decisions: emptyLog, newest: entries[0]?.event.type === 'task.opened' ? 0 : Infinity };
    for (const entry of entries) {
      const { decisions, newest } = own.log;
      const isNext = entry.event.type === 'task.opened' || (newest === decisions.seq && entry.seq === newest + 1);
      own.log = {
        task_id,
        decisions: isNext ? withDecision(decisions, entry, language) : decisions,
        newest: entry.seq,
      };
    }
  };

  const release = (own: Mirrored): void => {
    if (own.isRemoved || !isSettled(own.task.state) || !own.plan.isIdle || !own.mission.isIdle) return;
    sessions.delete(keyOf(own.session));
  };

  const add = (session: Session, task: TaskSnapshot): Mirrored => {
    const own: Mirrored = {
      ...{ session, isRemoved: false, task, planTask: task, planOf: null },
      log: { task_id: '', decisions: emptyLog, newest: 0 },
      plan: new MirroredFile(
        () => write(own, 'plan.json', (folder) => planText(own, folder)),
        () => release(own),
      ),
      mission: new MirroredFile(
        () => write(own, 'MISSION.md', () => missionText(own)),
        () => release(own),
      ),
    };
    sessions.set(keyOf(session), own);
    return own;
  };

  return {
    note: ({ owner, session_id }, task, isAnswering, entries) => {
      const session = { owner, session_id };
      const own = sessions.get(keyOf(session)) ?? add(session, task);
      own.task = task;
      take(own, task, entries);
      const isOver = isSettled(task.state);
      if (!hasBegun(task)) {
        release(own);
        return null;
      }
      if (hasActed(task)) {
        own.planTask = task;
        own.plan.soon(PLAN_MS);
      }
      if (!isOver) own.mission.soon(MISSION_MS);
      if (!isAnswering && !isOver) return null;
      return Promise.all([own.plan.flush(), isOver ? own.mission.atMostEvery(MISSION_MS) : null]).then(() => {});
    },
    forget: (session) => {
      const own = sessions.get(keyOf(session));
      if (own === undefined) return;
      own.isRemoved = true;
      own.plan.drop();
      own.mission.drop();
      sessions.delete(keyOf(session));
    },
    stop: async () => {
      await Promise.all([...sessions.values()].flatMap(({ plan, mission }) => [plan.flush(), mission.flush()]));
      sessions.clear();
    },
  };
};
