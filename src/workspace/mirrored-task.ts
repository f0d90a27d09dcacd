import type { Logger } from 'pino';
import { isSettled, type TaskContext, type TaskSnapshot } from '../../contracts/task.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { pendingAction } from '../../machines/approvals.ts';
import { type DecisionLog, emptyLog, mission, withDecision } from '../projections/mission-file.ts';
import { planFile } from '../projections/plan-file.ts';
import { DueWork } from './due-work.ts';
import type { MirroredFolder } from './mirrored-folder.ts';
import { leaveOtherPlan } from './plan-takeover.ts';
import type { UnderWay } from './under-way.ts';

/** The part of a task's history entry that the log of decisions needs. */
export type MissionEntry = Pick<TaskTraceEntry, 'seq' | 'event'>;

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

/** How a task began, as far as its entries were seen here. */
type Origin =
  /** Before its entries came here. */
  | 'earlier'
  | 'new'
  /** It continues the plan of another system, which it replaces at once. */
  | 'takeover';

export interface MirroredTaskParts {
  folder: MirroredFolder;
  eventsOf(taskId: string): AsyncIterable<MissionEntry>;
  underWay: UnderWay;
  log: Logger;
  /** The task has settled, and its files are written and stored. */
  onIdle(): void;
}

/** The files of one session while they follow one of its tasks. Never throws or rejects. */
export class MirroredTask {
  readonly task_id: string;
  readonly #language: TaskContext['language'];
  readonly #parts: MirroredTaskParts;
  #task: TaskSnapshot;
  #origin: Origin = 'earlier';
  #isPlanWritten = false;
  #planWrittenAt = Number.NEGATIVE_INFINITY;
  /** The task's decisions; null: they have to be read first. */
  #decisions: DecisionLog | null = null;
  readonly #planJson = new DueWork(() => void this.#writePlan());
  readonly #missionMd = new DueWork(() => void this.#parts.underWay.track(this.#writeMissionAndSettle()));
  /** The task that MISSION.md is due for: the one before, until this one begins its first item. */
  #missionOf: MirroredTask = this;

  /** `before`: the task that the files followed until now. */
  constructor(task: TaskSnapshot, before: MirroredTask | null, parts: MirroredTaskParts) {
    this.task_id = task.context.task_id;
    this.#language = task.context.language;
    this.#task = task;
    this.#parts = parts;
    if (before === null) return;
    this.#missionOf = before.#missionOf;
    this.#missionMd.takeOver(before.#missionMd);
  }

  /** The task has moved on, by these entries of its history. */
  note(task: TaskSnapshot, isAnswering: boolean, entries: readonly MissionEntry[]): void {
    this.#task = task;
    for (const entry of entries) this.#noteEntry(entry);
    const pauseMs = this.#planWrittenAt + PAUSE_MS - performance.now();
    if (hasActed(task) || this.#origin === 'takeover') this.#planJson.soon(Math.max(PLAN_MS, pauseMs));
    if (hasBegun(task)) {
      this.#missionOf = this;
      this.#missionMd.soon(PAUSE_MS);
    }
    if (isAnswering || this.#replacesPlan || isSettled(task.state)) this.#showPlan();
    if (isSettled(task.state) && !this.#missionMd.isWaiting) void this.#parts.underWay.track(this.#idle());
  }

  /** Writes nothing of what waits. */
  drop(): void {
    this.#planJson.drop();
    this.#missionMd.drop();
  }

  /** Writes what waits, and resolves once that is written and stored. */
  async flush(): Promise<void> {
    if (this.#planJson.drop()) void this.#writePlan();
    if (this.#missionMd.drop()) await this.#missionOf.#writeMission();
    await this.#parts.folder.save();
  }

  /** Whether another system's plan is still to be replaced. */
  get #replacesPlan(): boolean {
    return this.#origin === 'takeover' && !this.#isPlanWritten;
  }

  #noteEntry({ seq, event }: MissionEntry): void {
    if (event.type === 'task.opened') {
      this.#origin = event.left_steps === undefined ? 'new' : 'takeover';
      this.#decisions = emptyLog;
    }
    this.#decisions &&= withDecision(this.#decisions, { seq, event }, this.#language);
  }

  /** Writes plan.json where it is due, for a turn whose reply waits for it. */
  #showPlan(): void {
    if (this.#planJson.drop()) this.#parts.folder.show(this.#writePlan());
  }

  /** The task has settled: once its files are written it is forgotten, unless it has moved on meanwhile. */
  async #idle(): Promise<void> {
    const shown = this.#task;
    await this.#parts.folder.left;
    await this.#parts.folder.save();
    if (this.#task === shown && !this.#missionMd.isWaiting) this.#parts.onIdle();
  }

  async #writePlan(): Promise<void> {
    this.#planWrittenAt = performance.now();
    const isWritten = await this.#parts.folder.write('plan.json', (root) => {
      if (!this.#isPlanWritten) leaveOtherPlan(root, this.task_id, this.#origin !== 'earlier');
      return `${JSON.stringify(planFile(this.#task), null, 2)}\n`;
    });
    this.#isPlanWritten ||= isWritten;
  }

  async #writeMissionAndSettle(): Promise<void> {
    const shown = this.#missionOf;
    await shown.#writeMission();
    if (isSettled(this.#task.state)) await this.#idle();
    // The task before has settled, so its file is stored now.
    else if (shown !== this) await this.#parts.folder.save();
  }

  async #writeMission(): Promise<void> {
    const shown = this.#task;
    try {
      const read = this.#decisions ?? (await this.#readDecisions());
      // Changes that arrived meanwhile are written soon.
      if (this.#task !== shown) return;
      this.#decisions = read;
      await this.#parts.folder.write('MISSION.md', () => mission(this.#task, this.#decisions ?? read));
    } catch (err) {
      const { folder, log } = this.#parts;
      const { session_id } = folder.session;
      log.error({ err, session_id }, 'the decisions of a task cannot be read for its MISSION.md');
    }
  }

  async #readDecisions(): Promise<DecisionLog> {
    let read = emptyLog;
    for await (const entry of this.#parts.eventsOf(this.task_id)) read = withDecision(read, entry, this.#language);
    return read;
  }
}
