import type { Effect } from '../../contracts/effect.ts';
import type { TaskEvent, TaskOpened } from '../../contracts/event.ts';
import type { TaskView, TurnStatus } from '../../contracts/http.ts';
import type { TaskState } from '../../contracts/task.ts';
import type { Task } from '../../machines/step.ts';
import type { SubmittedTurn } from './port.ts';

/** A turn on its way in: it has its id, and is not stored yet. */
export interface NewTurn extends SubmittedTurn {
  turn_id: string;
}

/** A stored turn that waits for the running task to end. */
export interface QueuedTurn {
  turn_id: string;
  input: string;
  confirm_plan: boolean | undefined;
}

/** The task of a session that runs or waits for the user. */
export interface ActiveTask {
  task: Task;
  /** The open effect was found at the start of this process, so it may have been begun before. */
  isRecovered: boolean;
  /** Times that the open effect was begun without an outcome, this one included. */
  begins: number;
}

/** All that is needed to move a session on, as of its last commit. */
export interface SessionHead {
  seq: number;
  active: ActiveTask | null;
  /** What the active task asks of the world. */
  open: Effect | null;
  /** The task last opened, resumed or brought to rest. */
  recent: { task_id: string; state: TaskState | 'running' } | null;
  queued: QueuedTurn[];
}

/** What a turn is answered with. */
export interface TurnReply {
  status: TurnStatus;
  output: string;
  question: string | null;
  task: TaskView | null;
}

/**
 * One atomic change of one session, inside the store's transaction: all its verbs take effect together or not at all.
 * `head` is the session as the change has left it so far.
 */
export interface SessionChange {
  readonly head: SessionHead;
  /** Stores a turn: waiting in the queue, bound to the active task, or already answered. */
  addTurn(turn: NewTurn, as: 'queued' | 'running' | TurnReply): void;
  /** The turn leaves the queue and is bound to the active task. */
  bindQueued(turnId: string): void;
  openTask(opened: TaskOpened): void;
  /** Makes an earlier task of this session the active one; one whose history this machine folds otherwise is paused by it. */
  activate(taskId: string): void;
  /** A task of this session as it stands; changes nothing. */
  look(taskId: string): Task;
  /**
   * Puts one event into the active task's machine: stores the entry, and when the task comes to rest its snapshot and the
   * replies of all turns bound to it. Throws `EventNotAccepted`.
   */
  apply(event: TaskEvent): Task;
  /** Cancels a paused task of this session beside the active one, which goes on undisturbed. */
  cancelPaused(taskId: string): void;
  /** Writes down a late outcome of an effect that a cancel made pointless; changes nothing else (SPEC 6). */
  supersede(taskId: string, effectId: string, outcome: string): void;
  /** The session's most recently paused task, or null. */
  lastPaused(): string | null;
  /** The state of one of this session's tasks, or null when it has none of that id. */
  stateOf(taskId: string): TaskState | 'running' | null;
}

/**
 * What came of performing an effect: an event, or work that must run inside the commit and gives one (SPEC 7, transactional).
 * Work that throws leaves nothing in the store; `failed` is the event that says so instead.
 */
export type Outcome = { event: TaskEvent } | { inside: () => TaskEvent; failed: (error: unknown) => TaskEvent };

/** An input that came in and is not stored yet. */
export interface Arrival {
  turn: NewTurn;
  /** A task was running when it came, so that it is no answer to a question that was asked since (SPEC 2.5). */
  cameWhileRunning: boolean;
}

/** A change that no input asked for, such as a cancel by a task's id. */
export interface RequestedChange {
  write(change: SessionChange): void;
  /** Told when it is stored, or with the error that kept it from being. */
  settle(error: unknown): void;
}

/** One session, held exclusively: what `advance` needs of the engine that keeps it. */
export interface HeldSession {
  readonly owner: string;
  readonly session_id: string;
  head(): SessionHead;
  /** The next input that came in and is not stored yet, or a change that somebody asked for beside it. */
  nextInput(): Arrival | { change: RequestedChange } | null;
  /** Commits one change; throws and changes nothing when it can't be stored. */
  commit(change: (change: SessionChange) => void): Promise<void>;
  /** True when the store is at fault and not the change, so that the same change may be stored later. */
  isStorageError(error: unknown): boolean;
  /** Tells who sent the input that it is stored, or with an error that nothing of it is. */
  settle(turn: NewTurn, error: unknown): void;
  /** Performs the open effect, or waits for it; null when an input came in meanwhile and must be looked at first. */
  perform(effect: Effect, active: ActiveTask): Promise<Outcome | null>;
  isStopping(): boolean;
}
